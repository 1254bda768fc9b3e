// SPDX-License-Identifier: MIT
// The server with a small beam, seen from its clients.
#include "pliant/serve/server.hpp"

#include <random>

#include <gmock/gmock.h>

#include "client.hpp"
#include "frames.hpp"
#include "pliant/base/file.hpp"
#include "pliant/world/desktop.hpp"
#include "running_server.hpp"

namespace pliant::serve {
namespace {

using test::decode;
using test::DecodedFrame;
using test::hello;
using test::http_get;
using test::http_raw;
using test::HttpAnswer;
using test::read_at;
using test::RunningServer;
using test::Scenes;
using test::Watcher;
using test::WebSocketClient;
using Json = nlohmann::json;

// ---- HTTP

TEST(Server, AnswersThePageTheGalleryAndPictures) {
  RunningServer server;
  const HttpAnswer page = http_get(server.port(), "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, testing::HasSubstr("<title>"));
  EXPECT_THAT(page.head, testing::HasSubstr("X-Content-Type-Options: nosniff"));
  EXPECT_THAT(page.head, testing::HasSubstr("Content-Security-Policy: default-src 'self'"));

  const Json scenes = http_get(server.port(), "/api/scenes").json()["scenes"];
  ASSERT_EQ(scenes.size(), 3U);
  EXPECT_EQ(scenes[0], (Json{{"id", "beam"},
                             {"title", "Beam"},
                             {"description", "It bends."},
                             {"own", false},
                             {"picture", "/api/picture/beam"}}));
  EXPECT_EQ(scenes[1]["id"], "broken");
  EXPECT_EQ(scenes[1]["picture"], nullptr);
  EXPECT_EQ(http_get(server.port(), "/api/picture/beam").body, "not really a picture");
  EXPECT_EQ(http_get(server.port(), "/api/picture/full").status, 404);
}

TEST(Server, SendsAssetsWholeAndInRanges) {
  RunningServer server;
  Watcher watcher(server);
  const std::string path = watcher.scene["asset"];
  const std::string whole(MappedFile(Scenes::asset()).bytes());
  const HttpAnswer all = http_get(server.port(), path);
  EXPECT_EQ(all.status, 200);
  EXPECT_EQ(all.body, whole);
  EXPECT_THAT(all.head, testing::HasSubstr("immutable"));

  const HttpAnswer part = http_get(server.port(), path, "Range: bytes=100-299\r\n");
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, whole.substr(100, 200));
  EXPECT_THAT(part.head,
              testing::HasSubstr("Content-Range: bytes 100-299/" + std::to_string(whole.size())));
  const HttpAnswer end = http_get(
      server.port(), path, "Range: bytes=" + std::to_string(whole.size() - 7) + "-999999999\r\n");
  EXPECT_EQ(end.status, 206);
  EXPECT_EQ(end.body, whole.substr(whole.size() - 7));
  EXPECT_EQ(http_get(server.port(), path, "Range: bytes=999999999-9999999999\r\n").status, 416);
  EXPECT_EQ(http_get(server.port(), path, "Range: bytes=5-2\r\n").status, 416);
  EXPECT_EQ(http_get(server.port(), path, "Range: lines=5-2\r\n").body, whole);
  EXPECT_EQ(http_get(server.port(), "/asset/0000000000000000").json()["code"], "absent");
}

TEST(Server, RefusesWhatIsNotInItsTable) {
  RunningServer server;
  for (const char* path :
       {"/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/assets/../../../etc/passwd",
        "//etc/passwd", "/api/picture/../beam", "/api/picture/..%2f..%2fbeam.pliant",
        "/asset/../beam.pliant", "/index.html/", "/.git/config", "/%00"}) {
    const HttpAnswer answer = http_get(server.port(), path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.json()["code"], "absent");
  }
  const std::string host = "Host: localhost\r\n";
  EXPECT_EQ(
      http_raw(server.port(), "DELETE / HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n").status,
      405);
  EXPECT_EQ(http_raw(server.port(), "nonsense\r\n\r\n").status, 400);
  EXPECT_NE(http_raw(server.port(),
                     "GET / HTTP/1.1\r\n" + host + "X: " + std::string(1 << 20, 'x') + "\r\n\r\n")
                .status,
            200);
}

TEST(Server, RefusesOtherHostsAndOtherPages) {
  RunningServer server;
  const auto get = [&](const std::string& lines) {
    return http_raw(server.port(),
                    "GET /api/scenes HTTP/1.1\r\nConnection: close\r\n" + lines + "\r\n");
  };
  EXPECT_EQ(get("Host: localhost:1\r\n").status, 200);
  EXPECT_EQ(get("Host: [::1]:99\r\n").status, 200);
  for (const char* host :
       {"Host: evil.example\r\n", "Host: 127.0.0.1.evil.example\r\n", "Host: \r\n", ""}) {
    EXPECT_EQ(get(host).status, 403) << host;
  }
  EXPECT_EQ(get("Host: localhost:1\r\nOrigin: http://localhost:1\r\n").status, 200);
  for (const char* origin :
       {"http://evil.example", "http://localhost", "https://localhost:1", "null"}) {
    const HttpAnswer answer = get(std::string("Host: localhost:1\r\nOrigin: ") + origin + "\r\n");
    EXPECT_EQ(answer.status, 403) << origin;
    EXPECT_EQ(answer.json()["code"], "origin");
  }
  EXPECT_FALSE(WebSocketClient(server.port(), "/ws", "Origin: http://evil.example\r\n").open());
}

TEST(Server, AsksForATokenWhenOthersCanReachIt) {
  RunningServer server(Scenes::asset(), "127.0.0.1");
  EXPECT_EQ(server->token().size(), 32U);
  EXPECT_THAT(server->url(), testing::HasSubstr("?token=" + server->token()));
  EXPECT_EQ(http_get(server.port(), "/").status, 200) << "the page itself is no secret";
  for (const std::string& token :
       {std::string(), std::string("?token="), "?token=x" + server->token(),
        "?token=" + server->token().substr(1), "?nekot=" + server->token()}) {
    const HttpAnswer answer = http_get(server.port(), "/api/scenes" + token);
    EXPECT_EQ(answer.status, 401) << token;
    EXPECT_EQ(answer.json()["code"], "token");
    EXPECT_FALSE(WebSocketClient(server.port(), "/ws" + token).open());
  }
  EXPECT_EQ(http_get(server.port(), "/api/scenes?token=" + server->token()).status, 200);
  EXPECT_TRUE(WebSocketClient(server.port(), "/ws?token=" + server->token()).open());
}

// ---- WebSocket

TEST(Server, TellsAViewerOfTheScene) {
  RunningServer server;
  Watcher watcher(server);
  EXPECT_THAT(watcher.socket.head(), testing::HasSubstr("Sec-WebSocket-Protocol: pliant.1"));
  EXPECT_EQ(watcher.told["protocol"], 1);
  EXPECT_EQ(watcher.told["engine_texts"].size(), watcher.told["engines"].size());
  for (const Json& text : watcher.told["engine_texts"]) EXPECT_NE(text, "");
  const Json facts = watcher.scene["bodies"][0]["facts"];
  EXPECT_THAT(facts["what"].get<std::string>(), testing::HasSubstr("{mesh} move in {r} shapes"));
  EXPECT_EQ(facts["measured"], true);
  EXPECT_THAT(watcher.told["formats"].get<std::vector<std::string>>(), testing::Contains("obj"));
  EXPECT_EQ(watcher.scene["rate"], 1000);
  const Json& body = watcher.scene["bodies"][0];
  EXPECT_EQ(body["engine"], "reduced");
  EXPECT_EQ(body["r"], 8);
  EXPECT_GT(body["elements"], 0);
  EXPECT_NEAR(body["regions"][0]["young"].get<double>(), 1e6, 1);
  EXPECT_NEAR(body["regions"][0]["poisson"].get<double>(), 0.4, 1e-9);
  EXPECT_GT(watcher.scene["pull"]["stiffness"], 0);
  EXPECT_EQ(watcher.settings["epoch"], watcher.scene["epoch"]);
  EXPECT_EQ(watcher.settings["bodies"][0]["active"], 8);
  EXPECT_EQ(watcher.steering["you"], true);
  // Modes within the basis: orthonormal, ascending, the first as the bake found it.
  ASSERT_EQ(body["modes"].size(), 8U);
  double before = 0;
  for (const Json& a : body["modes"]) {
    EXPECT_GE(a["frequency"], before);
    before = a["frequency"];
    double norm = 0;
    for (const double x : a["c"]) norm += x * x;
    EXPECT_NEAR(norm, 1, 1e-6);
  }
  EXPECT_NEAR(body["modes"][0]["frequency"].get<double>(), body["frequencies"][0].get<double>(),
              0.01 * body["frequencies"][0].get<double>());
}

TEST(Server, FramesHoldTheStateOfTheWorld) {
  RunningServer server;
  Watcher watcher(server);
  watcher.socket.send({{"type", "pause"}, {"on", true}});
  while (!watcher.socket.text("settings")["paused"].get<bool>()) {
  }
  watcher.socket.send({{"type", "reset"}});
  watcher.socket.send({{"type", "advance"}, {"steps", 40}});
  const DecodedFrame frame =
      watcher.frame_where([](const DecodedFrame& f) { return f.step == 40; });
  // The same steps of a world of our own.
  const TensorFile asset(Scenes::asset());
  World world(asset, desktop_options());
  for (int i = 0; i < 40; ++i) world.step();
  WorldState state = world.make_state();
  EXPECT_NEAR(frame.time, 0.04, 1e-12);
  const std::vector<float> c = test::coefficients(frame.section(1));
  ASSERT_EQ(c.size(), 8U);
  for (std::size_t i = 0; i < c.size(); ++i) {
    EXPECT_EQ(c[i], state.bodies[0].c[static_cast<Index>(i)]) << "bit by bit";
  }
  EXPECT_EQ(read_at<float>(frame.section(1), 36),
            static_cast<float>(state.bodies[0].energy.elastic));
  EXPECT_EQ(frame.section(6).size(), 40U);
}

TEST(Server, CommandsActOnTheWorld) {
  RunningServer server;
  Watcher watcher(server);
  WebSocketClient& socket = watcher.socket;
  const auto settings_where = [&](const std::function<bool(const Json&)>& condition) {
    const Timer timer;
    while (timer.seconds() < 20) {
      if (condition(socket.text("settings"))) return true;
    }
    return false;
  };
  socket.send({{"type", "pull"},
               {"slot", 2},
               {"body", 0},
               {"point", 3},
               {"target", {0.1, 0.3, 0}},
               {"stiffness", 50}});
  const DecodedFrame pulled =
      watcher.frame_where([](const DecodedFrame& f) { return f.sections.contains(3); });
  EXPECT_EQ(read_at<std::uint16_t>(pulled.section(3), 0), 2);
  EXPECT_EQ(read_at<std::uint32_t>(pulled.section(3), 4), 3U);
  EXPECT_EQ(read_at<float>(pulled.section(3), 24), 0.3F);
  socket.send({{"type", "release"}, {"slot", 2}});
  watcher.frame_where([](const DecodedFrame& f) { return !f.sections.contains(3); });

  socket.send({{"type", "material"},
               {"body", 0},
               {"region", 0},
               {"young", 5e6},
               {"poisson", 0.3},
               {"density", 900}});
  EXPECT_TRUE(settings_where([](const Json& s) {
    const Json& region = s["bodies"][0]["regions"][0];
    return std::abs(region["young"].get<double>() - 5e6) < 1 && region["density"] == 900;
  }));
  socket.send({{"type", "gravity"}, {"vector", {0, 0, -1.5}}});
  EXPECT_TRUE(settings_where([](const Json& s) { return s["gravity"][2] == -1.5; }));
  socket.send({{"type", "active"}, {"body", 0}, {"count", 3}});
  EXPECT_TRUE(settings_where([](const Json& s) { return s["bodies"][0]["active"] == 3; }));
  watcher.frame_where(
      [](const DecodedFrame& f) { return test::coefficients(f.section(1)).size() == 3; });
  socket.send({{"type", "linear"}, {"body", 0}, {"on", true}});
  EXPECT_TRUE(settings_where([](const Json& s) { return s["bodies"][0]["linear"] == true; }));
  watcher.frame_where(
      [](const DecodedFrame& f) { return read_at<float>(f.section(1), 32) == 0.0F; });
  socket.send({{"type", "reset"}});
  EXPECT_TRUE(settings_where([](const Json& s) { return s["gravity"][1] == -9.81; }));

  // What cannot be done is said, and why.
  for (const Json& wrong : {Json{{"type", "pull"},
                                 {"slot", 0},
                                 {"body", 7},
                                 {"point", 0},
                                 {"target", {0, 0, 0}},
                                 {"stiffness", 0}},
                            Json{{"type", "active"}, {"body", 0}, {"count", 9}},
                            Json{{"type", "material"},
                                 {"body", 0},
                                 {"region", 3},
                                 {"young", 5e6},
                                 {"poisson", 0.3},
                                 {"density", 900}}}) {
    socket.send(wrong);
    const Json error = socket.text("error");
    EXPECT_EQ(error["code"], "refused");
    EXPECT_EQ(error["about"], wrong["type"]);
    EXPECT_NE(error["advice"], "");
  }
  socket.send({{"type", "open"}, {"scene", "nothing"}});
  EXPECT_EQ(socket.text("error")["code"], "absent");
}

TEST(Server, OneViewerSteersAndHandsOver) {
  RunningServer server;
  auto first = std::make_unique<Watcher>(server);
  Watcher second(server);
  EXPECT_EQ(second.steering["you"], false);
  EXPECT_EQ(second.steering["viewers"], 2);
  second.socket.send({{"type", "pause"}, {"on", true}});
  EXPECT_EQ(second.socket.text("error")["code"], "steering");
  second.socket.send({{"type", "steer"}, {"take", true}});
  EXPECT_EQ(second.socket.text("error")["code"], "steering") << "the first was active just now";

  // Its hands go with it.
  first->socket.send(
      {{"type", "force"}, {"slot", 0}, {"body", 0}, {"point", 1}, {"force", {0, 1, 0}}});
  second.frame_where([](const DecodedFrame& f) { return f.sections.contains(3); });
  first->socket.send({{"type", "steer"}, {"take", false}});
  Json steering = second.socket.text("steering");
  EXPECT_EQ(steering["client"], nullptr);
  second.frame_where([](const DecodedFrame& f) { return !f.sections.contains(3); });
  second.socket.send({{"type", "steer"}, {"take", true}});
  EXPECT_EQ(second.socket.text("steering")["you"], true);
  while (first->socket.text("steering")["you"].get<bool>()) {  // what it was told before
  }
  first.reset();
  EXPECT_EQ(second.socket.text("steering")["viewers"], 1);
}

TEST(Server, ANewViewerSteersWhenNobodyDoes) {
  RunningServer server;
  auto first = std::make_unique<Watcher>(server);
  Watcher second(server);
  first.reset();
  EXPECT_EQ(second.socket.text("steering")["client"], nullptr);
  Watcher third(server);
  EXPECT_EQ(third.steering["you"], true);
}

TEST(Server, ClosesWhoBreaksTheRules) {
  RunningServer server;
  const auto code_after = [&](const std::function<void(WebSocketClient&)>& act) {
    WebSocketClient socket(server.port());
    EXPECT_TRUE(socket.open());
    act(socket);
    return socket.close_code();
  };
  EXPECT_EQ(code_after([](auto& s) { s.send({{"type", "reset"}}); }), 1008) << "no hello";
  EXPECT_EQ(code_after([](auto& s) { s.send_frame(1, "{{{"); }), 1008);
  EXPECT_EQ(code_after([](auto& s) {
              s.send({{"type", "hello"}, {"protocol", 2}, {"rate", 60}});
            }),
            1008)
      << "another version";
  EXPECT_EQ(code_after([](auto& s) {
              s.send(hello);
              s.send_frame(2, "bytes");
            }),
            1003);
  EXPECT_EQ(code_after([](auto& s) {
              s.send(hello);
              s.send({{"type", "open"}, {"scene", std::string(20000, 'x')}});
            }),
            1009);
  EXPECT_EQ(code_after([](auto& s) {
              s.send(hello);
              s.send_frame(1, std::string((4 << 20) + 1, ' '));
            }),
            1009);
  EXPECT_EQ(code_after([](auto& s) {
              s.send(hello);
              for (int i = 0; i < 400 && s.send({{"type", "reset"}}); ++i) {
              }
            }),
            1008)
      << "far too many";
  // And who only stays below that is told once.
  Watcher watcher(server);
  for (int i = 0; i < 40; ++i) watcher.socket.send({{"type", "reset"}});
  EXPECT_EQ(watcher.socket.text("error")["code"], "rate");
}

TEST(Server, ThereIsRoomForSixteenViewers) {
  RunningServer server;
  std::vector<std::unique_ptr<WebSocketClient>> viewers;
  for (int i = 0; i < 16; ++i) viewers.push_back(std::make_unique<WebSocketClient>(server.port()));
  for (auto& viewer : viewers) viewer->text("hello");
  EXPECT_EQ(WebSocketClient(server.port()).close_code(), 1013);
}

TEST(Server, AHostileClientDoesNotDisturbTheSimulation) {
  RunningServer server;
  Watcher honest(server);
  const std::uint64_t before = decode(honest.socket.frame()).step;
  std::mt19937 random(7);
  const auto random_bytes = [&](std::size_t n) {
    std::string bytes(n, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    return bytes;
  };
  const std::string types[] = {"pull",   "force",   "release", "material", "damping", "active",
                               "linear", "gravity", "wind",    "pause",    "advance", "speed",
                               "sketch", "bake",    "cancel",  "steer",    "open",    "hello"};
  const auto nonsense = [&](unsigned kind) {
    switch (kind) {
      case 0:  // sound frames of any text
        return WebSocketClient::encode(1, random_bytes(random() % 200));
      case 1:  // JSON that is no message
        return WebSocketClient::encode(1, Json{{"type", types[random() % std::size(types)]},
                                               {"body", static_cast<int>(random() >> 1)},
                                               {"slot", nullptr},
                                               {"point", 1e300},
                                               {"vector", {1, "x"}},
                                               {"strokes", {{}}}}
                                              .dump());
      case 2:  // any opcode, unmasked
        return WebSocketClient::encode(static_cast<int>(random() % 16), random_bytes(random() % 50),
                                       false);
      case 3:  // a length that lies
        return std::string("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10);
      default:
        return random_bytes(random() % 300);
    }
  };
  for (unsigned connection = 0; connection < 100; ++connection) {
    WebSocketClient hostile(server.port());
    ASSERT_TRUE(hostile.open());
    if (connection % 8 != 0) hostile.send(hello);
    std::string frames;
    for (int i = 0; i < 1000; ++i) {
      frames += nonsense(connection % 3 < 2 ? connection % 3 : static_cast<unsigned>(random() % 5));
    }
    hostile.socket().send(frames);
    const Timer reading;  // a viewer that reads nothing and answers no ping is let go
    while (reading.seconds() < 0.05 && honest.socket.next(0.001)) {
    }
  }
  // The honest one still sees the world go on, and can steer it.
  honest.socket.send({{"type", "gravity"}, {"vector", {1, 2, 3}}});
  const Timer timer;
  while (honest.socket.text("settings")["gravity"] != Json({1, 2, 3})) {
    ASSERT_LT(timer.seconds(), test::patience);
  }
  EXPECT_GT(decode(honest.socket.frame()).step, before + 100);
  EXPECT_EQ(http_get(server.port(), "/").status, 200);
}

TEST(Server, ManyWhoSayNothingLockNobodyOut) {
  RunningServer server;
  Watcher watcher(server);
  std::vector<std::unique_ptr<test::Socket>> silent;
  for (int i = 0; i < 300; ++i) {
    silent.push_back(std::make_unique<test::Socket>(server.port()));
    if (i % 2 == 0) silent.back()->send("GET / HT");
  }
  EXPECT_EQ(http_get(server.port(), "/api/scenes").status, 200);
  EXPECT_EQ(silent.front()->receive(20), "");
  EXPECT_TRUE(silent.front()->ended()) << "the first has made room";
  watcher.frame_where([&](const DecodedFrame& f) { return f.step > 0; });
}

TEST(Server, WebSocketsThatWereRefusedTakeNoPlaceForLong) {
  RunningServer server;
  std::vector<std::unique_ptr<WebSocketClient>> viewers;
  // None of them ever answers the good-bye.
  for (int i = 0; i < 290; ++i) {
    viewers.push_back(std::make_unique<WebSocketClient>(server.port()));
    ASSERT_TRUE(viewers.back()->open());
  }
  EXPECT_EQ(http_get(server.port(), "/api/scenes").status, 200);
  EXPECT_EQ(viewers[16]->close_code(), 1013);
  EXPECT_FALSE(viewers[16]->next()) << "the first that was refused has made room";
  EXPECT_TRUE(viewers[16]->socket().ended());
  EXPECT_NE(viewers[15]->text("hello"), Json());
}

TEST(Server, NoOtherPageMayFrameIt) {
  RunningServer server;
  for (const char* path : {"/", "/api/scenes", "/absent"}) {
    const HttpAnswer answer = http_get(server.port(), path);
    EXPECT_THAT(answer.head, testing::HasSubstr("frame-ancestors 'none'"));
    EXPECT_THAT(answer.head, testing::HasSubstr("X-Frame-Options: DENY"));
  }
}

}  // namespace
}  // namespace pliant::serve
