/** What HTCondor's library answers: names, operators, numbers, lists; wrong kinds and counts of operands. */
import { conforms } from "../../test/classad-conformance.ts";

conforms(
  "names",
  `
  [self = 1].self → 1
  words.self → 1
  words.m → 2
  words.other → 3
  words.root → 4
  [a = 1; a = 2].a → 2
  [A = 1; a = 2].A → 2
  [a = 5; x = [y = 1]].x.a → 5
  [a = 5; x = {[y = 1], [a = 2]}].x.a → { 5, 2 }
  [q = Cpus].q → undefined
  nested.q → undefined
  nested.p → 7
  nested.o → 4
  Cpus → 4
  target.Cpus → 4
  other.Back → 7
  other.i → undefined
  a.parent.i → 7
  a.self.x → 1
  [b = [c = root.i]].b.c → 7
  [b = [c = toplevel.i]].b.c → 7
  [b = [c = parent.parent.i]].b.c → 7
  u.x → undefined
  e.x → error
  i.x → error
  a.nobody → undefined
  a["nobody"] → undefined
  a["x"] → 1
  a["i"] → undefined
  l["x"] → error
  l[3] → error
  a[0] → error
  nobody → undefined
  'i' → 7`,
);

conforms(
  "literals and syntax",
  String.raw`
  big → 9223372036854775807
  big == 9223372036854775806 → false
  big > 9223372036854775806 → true
  big =?= 9223372036854775807 → true
  -9223372036854775808 → -9223372036854775808
  big - 1 → 9223372036854775806
  {1, 2,} → { 1, 2 }
  strcat("a"; "b") → "ab"
  strcat("a", "b",) → "ab"
  u ? : 3 → 3
  "\303\251" → "é"
  "\101\102" → "AB"
  "\x" → "x"
  "a" "b" → "ab"
  1 /* two */ + 3 // four → 4
  'strcat'("a") → "a"`,
);

conforms(
  "operators",
  `
  -t → error
  +t → error
  -s → error
  +u → undefined
  -rt → relTime("-1+02:03:04")
  t + t → 2
  t & t → error
  7.5 % 2 → error
  7 % 0 → error
  1.0 / 0 → error
  -1.0 / 0 → real("-INF")
  0.0 / 0.0 → real("NaN")
  5 / -2 → -2
  -7 % 3 → -1
  i << 1 → 14
  -8 >> 1 → -4
  ~i → -8
  ~r → error
  "a" < 3 → error
  t == 1 → true
  t =?= 1 → false
  rt * t → error
  rt * 2 → relTime("2+04:06:08")
  tm - tm → relTime("00")
  tm + rt → absTime("2024-03-02T14:33:49+01:00")
  tm == rt → error
  l == l → error
  u =?= undefined → true
  error =?= error → true
  s && true → error
  false && s → false
  u && error → error
  2 ? 1 : 0 → 1
  s ? 1 : 0 → error
  e ?: 1 → error`,
);

conforms(
  "conversions",
  String.raw`
  int("12abc") → 12
  int("0x1f") → 31
  int("017") → 17
  int(" -3.9e1 ") → -39
  int("2K") → 2048
  int("") → error
  int("abc") → error
  int(u) → undefined
  int(l) → error
  int(tm) → 1709292645
  int(rt) → 93784
  int(r, r) → error
  int() → error
  real("1.5K") → 1536.0
  real("1e3x") → 1000.0
  real("nan") → real("NaN")
  real(t) → 1.0
  real("x") → error
  string(tm) → "2024-03-01T12:30:45+01:00"
  strcat("", rt) → "1+02:03:04"
  string(r) → "2.500000000000000E+00"
  string(l) → "{ 1,2.500000000000000E+00,\"x\" }"
  string({}) → "{  }"
  string([]) → "[  ]"
  string([b = -i]) → "[ b =  -i ]"
  string(1e300) → "1.000000000000000E+300"
  string(-0.0) → "-0.0"
  string(u) → undefined
  string(e) → error
  bool("TRUE") → true
  bool("yes") → undefined
  bool(tm) → error
  bool(rt) → true
  bool(l) → error
  bool(0.0) → false`,
);

conforms(
  "numbers",
  `
  floor(u) → error
  floor("3.9") → 3
  floor(s) → error
  floor(-2.5) → -3
  ceiling(2.1) → 3
  ceil(t) → 1
  round(2.5) → 2
  round(-1.5) → -2
  round(u) → error
  pow(2, 10) → 1024
  pow(2, -1) → 0.5
  pow(2.0, 3) → 8.0
  pow("2", 3) → 8.0
  pow(u, 2) → error
  quantize(3, 8) → 8
  quantize(6.5, 1.5) → 7.5
  quantize(2, {1, 2, "A"}) → 2
  quantize(3, {1, 2, 0.5}) → 3.0
  quantize(u, 2) → error
  random(u) → error
  random(0) → error
  random(s) → error`,
);

conforms(
  "lists",
  `
  member(u, error) → undefined
  member(1, u) → undefined
  member(e, l) → error
  member("X", l) → true
  member(l, l) → error
  member(1, 1) → error
  identicalMember("X", l) → false
  identicalMember(e, {error}) → true
  identicalMember(1, u) → undefined
  size(u) → undefined
  size(i) → error
  size(a) → 2
  sum({}) → 0
  avg({}) → 0
  sum({undefined}) → 0
  min({}) → undefined
  sum({true, true, 1}) → 3
  avg({true, false}) → 0.5
  max({1, 2.5}) → 2.5
  max({3, 1.5}) → 3.0
  sum(l) → error
  sum(u) → undefined
  sum(1) → error
  sum(evalInEachContext(k > 1, ads)) → 2
  anyCompare("<", {"x", 1}, 2) → error
  anyCompare("<", {1, "x"}, 2) → true
  allCompare("<", {1, undefined}, 2) → false
  anyCompare("<", {}, 2) → false
  allCompare("<", {}, 2) → true
  anyCompare("<", {1}, u) → false
  anyCompare("=?=", {1}, 1) → error
  anyCompare("isnt", {1}, 2) → true
  anyCompare(u, {1}, 1) → undefined
  anyCompare("<", u, 1) → undefined`,
);

conforms(
  "expressions",
  `
  countMatches(my.reqGpu, ads) → 2
  countMatches(reqGpu, ads) → 2
  countMatches(k > 1, ads) → 2
  countMatches(k, ads) → 3
  countMatches(reqGpu, u) → 0
  countMatches(reqGpu, 3) → error
  countMatches(my.nothing, ads) → 0
  evalInEachContext(my.reqGpu, ads) → { false, true, true, undefined }
  evalInEachContext(k + Cpus, ads) → { 5, 6, 7, undefined }
  evalInEachContext(k, u) → undefined
  evalInEachContext(k, {1}) → { error }
  anyMatch(other.storage, target.size > 100) → true
  allMatch(other.storage, target.size > 100) → false
  whichMatch(other.storage, target.size > 100) → { [ size = 500 ] }
  anyMatch(u, target.size > 1) → undefined
  anyMatch(1, true) → error
  eval("i + 1") → 8
  eval(u) → error
  eval(e) → error
  eval("1 +") → error
  eval(r) → 2.5
  eval(tm) → error
  unparse(expr) → "(i + 1) * 2 > 3 && t"
  unparse(nobody) → ""
  unparse(my.i) → ""
  unparse(1) → error
  ifThenElse(u, 1, 2) → undefined
  ifThenElse(s, 1, 2) → error
  ifThenElse(0, 1, 2) → 2
  isUndefined(u) → true
  isUndefined() → error
  nothing(1) → error`,
);
