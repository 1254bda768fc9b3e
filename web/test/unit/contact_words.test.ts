// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";

import { contactWords, doubtWords, refinedWords } from "../../src/ui/contact_words.ts";

const meeting = {
  pairs: 1,
  visited: 2050,
  asleep: 640,
  contacts: 12,
  levelsLeftOut: 0,
  budget: 0,
  deepest: 4e-4,
};

test("the counters of contact are told as they are", () => {
  const words = contactWords(meeting).replaceAll("\u202f", "");
  assert.match(words, /12 points touch, 400\s*.m deep at most/);
  assert.match(words, /2050 nodes of the point trees looked at, 640 asleep/);
  assert.match(words, /all levels/);
});

test("a budget and what it leaves out are told", () => {
  const words = contactWords({ ...meeting, levelsLeftOut: 2, budget: 900 });
  assert.match(words, /of 900 that the step has time for/);
  assert.match(words, /2 finest levels left out/);
});

test("bodies that are near and apart, and none", () => {
  assert.match(contactWords({ ...meeting, contacts: 0 }), /^No point touches\. /);
  assert.match(contactWords(null), /No bodies are near/);
});

test("a field that is doubtful says where and how much", () => {
  assert.equal(doubtWords([{ name: "bunny", share: 0 }]), "");
  assert.match(
    doubtWords([{ name: "bunny", share: 0 }, { name: "soup", share: 0.0321 }]),
    /^Inside or outside is a guess for 3\.2.% of soup, orange/,
  );
});

test("a field that is felt otherwise than it is drawn says so", () => {
  assert.equal(refinedWords([]), "");
  assert.match(refinedWords(["beam", "hose"]), /^Drawn of beam, hose is the field at rest/);
});
