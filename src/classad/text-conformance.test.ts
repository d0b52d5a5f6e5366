/** What HTCondor's library answers: texts and times; undefined, wrong kinds and counts of operands. */
import { describe, expect, it } from "vitest";
import { conforms } from "../../test/classad-conformance.ts";
import { worth } from "../../test/classad-value.ts";

conforms(
  "strings",
  String.raw`
  strcat() → ""
  strcat(u, e) → undefined
  strcat(e, u) → error
  strcat(1, true, "x") → "1truex"
  join() → ""
  join(",") → ""
  join(",", u) → undefined
  join(u, "a", "b") → "ab"
  join(",", "", "a", "b") → "a,b"
  join(",", {1, undefined, 2}) → "1,2"
  join(",", {}) → ""
  join({"a", 1}) → "a1"
  join(",", e) → error
  substr("abc", -9, 2) → "ab"
  substr("abc", 9) → ""
  substr("abc", 1, 0) → ""
  substr("abc", 0, -1) → "ab"
  substr(u, e) → undefined
  substr("abc", 1.0) → error
  strcmp("a", "B") → 1
  stricmp("A", "a") → 0
  strcmp(u, e) → undefined
  strcmp(e, 1) → error
  strcmp(10, 9) → -1
  toUpper("aé") → "Aé"
  toUpper(u) → undefined
  toLower(TRUE) → "true"
  split(u) → error
  split("a b\tc") → { "a", "b", "c" }
  split("a,,b", ",") → { "a", "", "b" }
  split(",a,", ",") → { "a" }
  split("a, b", ", ") → { "a", "b" }
  split("abc", "") → { "abc" }
  split("") → {}
  splitUserName(u) → error
  splitUserName("a@b@c") → { "a", "b@c" }
  splitSlotName("host") → { "", "host" }
  versioncmp("1.2", "1.5") → -3
  versioncmp("8.10", "8.9") → 1
  versionGE("1.0", u) → undefined
  version_in_range(u, "1", "2") → error
  version_in_range("1", u, "2") → undefined`,
);

conforms(
  "string lists",
  `
  stringListSize(u) → error
  stringListSize("a, b") → 2
  stringListSize(" a ; b ;; ", ";") → 2
  stringListSum("1x,2") → 3.0
  stringListSum("1,2") → 3
  stringListSum("") → 0.0
  stringListSum("x") → error
  stringListAvg("") → 0.0
  stringListMin("") → undefined
  stringListMin("3, 1.5") → 1.5
  stringListMax(u) → error
  stringListMember(u, "a") → false
  stringListMember("a", u) → false
  stringListMember(u, u) → undefined
  stringListMember(1, "a") → error
  stringListMember("A", "a,b") → false
  stringListIMember("A", "a,b") → true
  stringListSubsetMatch("", u) → true
  stringListSubsetMatch(u, "a") → true
  stringListSubsetMatch("a", u) → false
  stringListSubsetMatch("a,b", "b,a,c") → true
  stringListISubsetMatch("A", "a") → true
  stringListSubsetMatch(" , ", "a") → false
  stringListsIntersect("a,b", "c,b") → true
  stringListsIntersect(u, "a") → undefined
  stringList_regexpMember("^b", "a,b") → true
  stringList_regexpMember("^b", "") → undefined
  stringList_regexpMember("B", "b", ",", "I") → true
  stringList_regexpMember(u, "b") → error`,
);

conforms(
  "regular expressions",
  String.raw`
  regexp("(?i)abc", "ABC") → true
  regexp("a(?i:B)c", "abc") → true
  regexp("a(?i:B)c", "abC") → false
  regexp("(?i)a(?-i)b", "Ab") → true
  regexp("(?i)a(?-i)b", "AB") → false
  regexp("a b # remark", "ab", "x") → true
  regexp("a(?#remark)b", "ab") → true
  regexp("^\\Qa.b\\E$", "a.b") → true
  regexp("^\\Qa.b\\E$", "axb") → false
  regexp("^a\\hb$", "a b") → true
  regexp("^a\\Rb$", "a\r\nb") → true
  regexp("^\\p{L}+$", "aé") → true
  regexp("^\\p{Lu}$", "a") → false
  regexp("^\\PL$", "1") → true
  regexp("\\p{Nonsense}", "1") → error
  regexp("\\101", "A") → true
  regexp("\\x{41}\\x42", "AB") → true
  regexp("[[:punct:]]", "!") → true
  regexp("[[:^alpha:]]", "a") → false
  regexp("(?P<n>a)b", "ab") → true
  regexp("(?<n>a)b", "ab") → true
  regexp("a++", "a") → error
  regexp("(?>a)", "a") → error
  regexp("(?<=a)b", "ab") → error
  regexp("(", "a") → error
  regexp(u, "a") → undefined
  regexp(e, u) → error
  regexp("a", 1) → error
  regexp("a", "A", "I") → false
  regexps("(a)(b)?", "a", "\\2") → error
  regexps("(b)?(a)", "a", "<\\1\\2>") → "<a>"
  regexps("x", "abc", "\\1") → ""
  regexps("b", "abc", "\\z\\0") → "\\zb"
  replace("a", "xyz", "\\1") → "xyz"
  replace("a", "aba", "\\1") → error
  replaceAll("a", "aba", "-") → "-b-"
  regexpMember("b", {"a", undefined}) → undefined
  regexpMember("b", {1, "b"}) → error`,
);

conforms(
  "times",
  `
  absTime("2024/03/01 12:30Z") → absTime("2024-03-01T12:30:00-00:00")
  absTime("1970-01-02T:03:04:05Z") → absTime("1970-01-02T03:04:05-00:00")
  absTime("1997-08-30T16:04:05-0500") → absTime("1997-08-30T16:04:05-05:00")
  absTime("2024-13-01") → absTime("2025-01-01T00:00:00-00:00")
  absTime("2024") → absTime("2023-12-31T00:00:00-00:00")
  absTime("abc") → error
  absTime(u) → undefined
  absTime(true) → error
  absTime(0, 3600) → absTime("1970-01-01T01:00:00+01:00")
  relTime("1d2h3m4.5s") → relTime("1+02:03:4.5")
  relTime("2+25:14:16.123") → relTime("3+01:14:16.123")
  relTime("") → relTime("00")
  relTime("x") → error
  relTime(true) → error
  relTime(tm) → relTime("19783+11:30:45")
  interval(90061) → "1+01:01:01"
  interval(3661) → "1:01:01"
  interval(-61) → "-1:01"
  interval(u) → error
  interval("60") → "1:00"
  splitTime(0).year → 1970
  splitTime(1.5).seconds → 1
  splitTime(u) → undefined
  splitTime("x") → error
  splitTime(relTime("-1:02")).minutes → -1
  splitTime(relTime("-1:02")).seconds → 2.0
  getHours(tm) → 11
  getDays(tm) → error
  getDays(rt) → 1
  getYear(u) → error
  formatTime(u) → error
  formatTime(rt) → error
  formatTime(tm, "%F %R %k|%l|%u|%V|%G") → "2024-03-01 12:30 12|12|5|09|2024"
  formatTime(tm, "%s") → "1709292645"
  formatTime(tm) → "Fri Mar  1 12:30:45 2024"
  formatTime([Year = 2024; Month = 2; Day = 3], "%D") → "02/03/24"
  formatTime(tm, u) → error`,
);

conforms(
  "arguments, environments and users",
  `
  argsToList("a 'b c' d''''e") → { "a", "b c", "d'e" }
  argsToList("a 'b") → error
  argsToList("a 'b", 1) → { "a", "'b" }
  argsToList("a", 3) → error
  argsToList(u) → error
  listToArgs({"a", "b c", "it's", ""}) → "a b' 'c it''''s ''"
  listToArgs({"a b"}, 1) → error
  listToArgs({1}) → error
  envV1ToV2("A=1;B=two words") → "A=1 B=two' 'words"
  envV1ToV2(u) → undefined
  envV1ToV2("A") → error
  mergeEnvironment("A=1 B=2", u, "B=3") → "A=1 B=3"
  mergeEnvironment() → ""
  mergeEnvironment(1) → error
  userHome("root") → undefined
  userHome("root", "/home") → "/home"
  userHome(1) → error
  userMap("m", "ann") → undefined
  userMap("m", "ann", "g", "none") → "none"
  userMap(1) → error`,
);

describe("a map of users", () => {
  const userMap = (map: string, user: string) => (map === "groups" && user === "ann" ? "a,b" : undefined);
  it.each([
    ['userMap("groups", "ann")', '{ "a", "b" }'],
    ['userMap("groups", "ann", "B")', '"b"'],
    ['userMap("groups", "ann", "c")', '"a"'],
    ['userMap("groups", "bob", "c", "d")', '"d"'],
  ])("%s is %s", (text, value) => {
    expect(worth(text, { userMap })).toBe(value);
  });
});
