// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pliant::io {
namespace {

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TextReader, SplitsTokensAndCountsLines) {
  TextReader reader({"a.txt", "one  two\t# rest\r\n\n three"}, {});
  EXPECT_EQ(reader.token(), "one");
  EXPECT_EQ(reader.token(), "two");
  EXPECT_EQ(reader.line(), 1);
  EXPECT_EQ(reader.peek(), "three");
  EXPECT_EQ(reader.line(), 1);
  EXPECT_EQ(reader.token(), "three");
  EXPECT_EQ(reader.line(), 3);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.token(), "");
}

TEST(TextReader, SkipsAByteOrderMark) {
  TextReader reader({"a.txt", "\xEF\xBB\xBFv"}, {});
  EXPECT_EQ(reader.token(), "v");
}

TEST(TextReader, TakesCommasForBlanksOnlyIfAsked) {
  EXPECT_EQ(TextReader({"", "1,2"}, {}).token(), "1,2");
  EXPECT_EQ(TextReader({"", "1,2"}, {.commas = true}).token(), "1");
}

TEST(TextReader, StaysOnALineWhenAskedTo) {
  TextReader reader({"a.txt", "v 1 2\n\n# none\nname  of it  # note\nlast"}, {});
  ASSERT_TRUE(reader.next_line());
  EXPECT_EQ(reader.token(), "v");
  EXPECT_EQ(reader.need_double(), 1.0);
  EXPECT_TRUE(reader.more_on_line());
  EXPECT_EQ(reader.need_integer(), 2);
  EXPECT_FALSE(reader.more_on_line());
  EXPECT_EQ(error_of([&] { reader.need_more_on_line("three numbers"); }),
            "a.txt:1: the line ends too early: expected three numbers");
  ASSERT_TRUE(reader.next_line());
  EXPECT_EQ(reader.line(), 4);
  EXPECT_EQ(reader.rest_of_line(), "name  of it");
  EXPECT_FALSE(reader.more_on_line());
  ASSERT_TRUE(reader.next_line());
  reader.skip_line();
  EXPECT_FALSE(reader.next_line());
  EXPECT_EQ(error_of([&] { reader.need_more_on_line("more"); }),
            "a.txt:5: the file ends too early: expected more");
}

TEST(TextReader, JoinsContinuedLines) {
  const TextReader::Style style = {.continuation = '\\'};
  TextReader reader({"a.txt", "f 1\\\n2 \\\r\n3 a\\b\nskipped \\\nentirely\ng the \\\nname\nend\\"},
                    style);
  reader.next_line();
  EXPECT_EQ(reader.token(), "f");
  EXPECT_EQ(reader.token(), "1");
  EXPECT_TRUE(reader.more_on_line());
  EXPECT_EQ(reader.token(), "2");
  EXPECT_EQ(reader.line(), 2);
  EXPECT_EQ(reader.token(), "3");
  EXPECT_EQ(reader.line(), 3);
  EXPECT_EQ(reader.token(), "a\\b");
  EXPECT_FALSE(reader.more_on_line());
  reader.next_line();
  reader.skip_line();
  reader.next_line();
  EXPECT_EQ(reader.token(), "g");
  EXPECT_EQ(reader.line(), 6);
  EXPECT_EQ(reader.rest_of_line(), "the");
  reader.next_line();
  EXPECT_EQ(reader.line(), 8);
  EXPECT_EQ(reader.token(), "end\\");
}

TEST(TextReader, RefusesWhatIsNoNumber) {
  const auto number = [](const char* text) {
    return error_of([&] { TextReader({"a", text}, {}).need_double("a length"); });
  };
  EXPECT_EQ(number("1.5x"), "a:1: not a finite number: found '1.5x', expected a length");
  for (const char* text : {"nan", "inf", "-inf", "1e999", "0x10", "--1", "+-1", "1,5", "."}) {
    EXPECT_THAT(number(text), testing::HasSubstr("not a finite number")) << text;
  }
  EXPECT_EQ(number(""), "a:1: the file ends too early: expected a length");
  const auto integer = [](const char* text) {
    return error_of([&] { TextReader({"a", text}, {}).need_integer(); });
  };
  for (const char* text : {"1.0", "9223372036854775808", "1e3", "-", "+", "12a"}) {
    EXPECT_THAT(integer(text), testing::HasSubstr("not a whole number")) << text;
  }
}

TEST(TextReader, ReadsEveryNumberThereIs) {
  const auto number = [](const char* text) { return TextReader({"a", text}, {}).need_double(); };
  EXPECT_EQ(number("+1.5"), 1.5);
  EXPECT_EQ(number("5e-324"), 5e-324);
  EXPECT_EQ(number("1e-400"), 0.0);
  EXPECT_EQ(number("-1.7976931348623157e308"), -1.7976931348623157e308);
  EXPECT_TRUE(std::signbit(number("-0")));
  EXPECT_EQ(TextReader({"a", "-9223372036854775808"}, {}).need_integer(),
            std::numeric_limits<std::int64_t>::min());
}

TEST(TextReader, RefusesCountsThatTheFileCannotHold) {
  EXPECT_EQ(TextReader({"a", "2 a b"}, {}).need_count("letters"), 2);
  EXPECT_EQ(error_of([] {
              TextReader({"a", "3 a b"}, {}).need_count("letters");
            }),
            "a:1: the file is too short for this many items (4 bytes are left): found '3', "
            "expected letters");
  EXPECT_THAT(error_of([] {
                TextReader({"a", "-1 a b"}, {}).need_count("letters");
              }),
              testing::HasSubstr("negative"));
  EXPECT_THAT(error_of([] {
                TextReader({"a", "9223372036854775807 "}, {}).need_count("x", 1);
              }),
              testing::HasSubstr("too short"));
}

TEST(TextReader, SeeksWithTheRightLine) {
  TextReader reader({"a", "1\n2\n3\n"}, {});
  reader.seek(4);
  EXPECT_EQ(reader.token(), "3");
  EXPECT_EQ(reader.line(), 3);
  reader.seek(2);
  EXPECT_EQ(reader.token(), "2");
  EXPECT_EQ(reader.line(), 2);
  reader.seek(1000);
  EXPECT_TRUE(reader.at_end());
}

TEST(TextReader, NeedsAWordExactly) {
  TextReader reader({"a", "Solid"}, {});
  EXPECT_EQ(error_of([&] { reader.need_word("solid"); }),
            "a:1: unexpected word: found 'Solid', expected 'solid'");
}

TEST(SameWord, IgnoresCaseOnly) {
  EXPECT_TRUE(same_word("Facet", "fACET"));
  EXPECT_FALSE(same_word("facet", "facets"));
  EXPECT_FALSE(same_word("[", "{"));
}

TEST(ByteReader, ReadsBothByteOrders) {
  const std::string_view bytes("\x01\x02\x03\x04\x00\x00\x80\x3f\x3f\x80\x00\x00", 12);
  ByteReader little({"a", bytes});
  EXPECT_EQ(little.get<std::uint32_t>("x"), 0x04030201u);
  EXPECT_EQ(little.get<float>("x"), 1.0f);
  little.set_order(std::endian::big);
  EXPECT_EQ(little.get<float>("x"), 1.0f);
  EXPECT_EQ(little.left(), 0u);
  ByteReader big({"a", bytes}, std::endian::big);
  EXPECT_EQ(big.get<std::uint16_t>("x"), 0x0102u);
  EXPECT_EQ(big.get<std::int8_t>("x"), 3);
}

TEST(ByteReader, RefusesToReadBeyondTheEnd) {
  ByteReader reader({"a.stl", "abc"});
  reader.take(1, "a letter");
  EXPECT_EQ(error_of([&] { reader.get<float>("a height"); }),
            "a.stl: byte 1: the file ends inside a height (2 of 4 bytes are there)");
  EXPECT_THAT(error_of([&] { reader.take(~std::size_t{0}, "all"); }),
              testing::HasSubstr("ends inside"));
  EXPECT_THAT(error_of([&] { reader.seek(4); }), testing::HasSubstr("behind the end"));
  reader.seek(3);
  EXPECT_EQ(reader.left(), 0u);
}

TEST(ByteReader, RefusesCountsThatTheFileCannotHold) {
  const ByteReader reader({"a", "12345678"});
  EXPECT_NO_THROW(reader.check_count(2, 4, "items"));
  EXPECT_THROW(reader.check_count(3, 4, "items"), Error);
  EXPECT_THROW(reader.check_count(~std::uint64_t{0}, 4, "items"), Error);
}

TEST(CheckedIndex, SaysWhichIndicesExist) {
  const TextReader reader({"a", ""}, {});
  EXPECT_EQ(checked_index(reader, 8, 1, 8, "vertex"), 7);
  EXPECT_EQ(error_of([&] { checked_index(reader, 9, 1, 8, "vertex"); }),
            "a:1: vertex does not exist: found '9', expected 1 to 8");
  EXPECT_EQ(error_of([&] { checked_index(reader, 0, 0, 0, "vertex"); }),
            "a:1: vertex does not exist: found '0', expected none, the file has none");
  EXPECT_THROW(checked_index(reader, std::numeric_limits<std::int64_t>::min(), 1, 8, "vertex"),
               Error);
  EXPECT_THROW(checked_index(reader, 0, 1, 8, "vertex"), Error);
}

}  // namespace
}  // namespace pliant::io
