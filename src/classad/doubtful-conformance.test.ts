/** Doubtful cases, with the values that the source of HTCondor's library gives. */
import { conforms } from "../../test/classad-conformance.ts";

conforms(
  "operands of mixed kinds",
  String.raw`
  (-9223372036854775807 - 1) % -1 → 0
  -true → error
  true == 1.0 → true
  true < 2 → true
  true =?= 1 → false
  1 =?= 1.0 → false
  "a" == 1 → error
  true + true → 2
  1/0.0 → error
  5 % -3 → 2
  -5 % 3 → -2
  5.0 % 3 → error
  true & 1 → error
  1.5 & 1 → error
  ~true → error
  -8 >>> 1 → 9223372036854775804
  !5 → false
  !0.0 → true
  !"a" → error
  undefined || "a" → error
  false && "a" → false
  "a" || true → error
  undefined && error → error
  "_" < "A" → true
  5 .a → error`,
);

conforms(
  "texts, patterns and conversions",
  String.raw`
  stricmp("_","A") → -1
  strcmp("a","B") → 1
  strcmp(undefined,error) → undefined
  strcmp(1,"1") → 0
  substr("abcdef",2,-1) → "cde"
  substr("abcdef",2,-10) → ""
  substr("abc",1,0) → ""
  substr("abc",1.0) → error
  substr(5,1) → error
  substr(undefined,error) → undefined
  toUpper(5) → "5"
  toUpper(undefined) → undefined
  bool("x") → undefined
  bool(real("NaN")) → true
  floor("2.5") → 2
  floor(true) → 1
  round(-0.5) → 0
  floor("x") → error
  pow(2,-1) → 0.5
  pow("2",3) → 8.0
  pow(true,2) → 1.0
  pow(undefined,2) → error
  quantize(-3,2) → -2
  quantize(3,undefined) → error
  ifThenElse("a",1,2) → error
  ifThenElse(0.0,1,2) → 2
  ifThenElse(undefined,1,error) → undefined
  eval(5) → 5
  eval(1.5) → 1.5
  eval("") → error
  eval("1 2") → error
  eval("undefined") → undefined
  regexp("a","A",5) → error
  regexp(5,"a") → error
  regexp(5,undefined) → undefined
  regexp("a","b",undefined) → undefined
  regexp("a",error,undefined) → error
  regexp("a","A","I") → false
  regexps("b","abc","x") → "x"
  regexps("b","abcb","x","g") → "xx"
  regexps("b","abcb","x","fg") → "axcx"
  unparse("a") → error
  unparse(a,b) → error
  random("x") → error
  random(undefined) → error
  random(true) → error`,
);

conforms(
  "lists and parts",
  String.raw`
  {1} == "a" → error
  {1} == undefined → undefined
  bool({}) → error
  floor({}) → error
  quantize(3.2,{1,4,8}) → 4
  quantize(20,{1,4,8}) → 24
  quantize(3,{undefined,4}) → error
  quantize(1,{2,undefined}) → 2
  eval({1,2}) → { 1, 2 }
  regexpMember("a",{1,"a"}) → error
  regexpMember("a",{"a",1}) → true
  regexpMember("a","a") → error
  regexpMember(5,{}) → error
  member(undefined,{}) → undefined
  identicalMember(undefined,{undefined}) → true
  identicalMember(error,{error}) → true
  identicalMember(error,{1}) → false
  identicalMember({1},{{1}}) → error
  identicalMember(1,undefined) → undefined
  member({1},{1}) → error
  member(1,"a") → error
  member("A",{"a"}) → true
  member(1,{1.0}) → true
  member(1,{error,1}) → true
  member(1,{"a"}) → false
  member(1,{error}) → false
  member(1,{{1},1}) → true
  size(5) → error
  size(true) → error
  sum({"a"}) → error
  sum(5) → error
  anyCompare(undefined,{1},1) → undefined
  anyCompare("=",{1},1) → error
  anyCompare("<",undefined,1) → undefined
  anyCompare("<",{1},undefined) → false
  allCompare("<",{},1) → true
  anyCompare("IS",{1},1) → error
  anyCompare("is",{undefined},undefined) → true
  allCompare("<",{undefined},1) → false
  {1,2}[-1] → error
  {1,2}["0"] → error
  {1,2}[undefined] → undefined
  {1,2}[true] → error
  {1,2}[0.0] → error
  undefined[0] → undefined
  5[0] → error
  [a=1][0] → error
  [a=1]["b"] → undefined
  [a=b;b=a].a → error`,
);

conforms(
  "times",
  String.raw`
  relTime(60) < 120 → error
  relTime(60) * true → error
  relTime(60) + 1 → error
  absTime(0,3600) == absTime(0,0) → true
  absTime(0,3600) =?= absTime(0,0) → false
  bool(relTime(0.5)) → false
  bool(relTime(0)) → false
  bool(absTime(0,0)) → error
  absTime(0,"x") → error
  absTime(0,true) → error
  absTime(undefined,0) → undefined
  absTime(0,undefined) → error
  absTime(undefined,error) → error
  absTime(undefined,undefined) → error
  relTime(1,2) → error
  absTime(0.9,0) == absTime(0,0) → true
  floor(relTime(1.5)) → 1
  ceiling(absTime(3,0)) → 3
  ifThenElse(relTime(1),1,2) → error
  interval("90061") → "1+01:01:01"
  interval(-5) → "-5"
  interval(-65) → "-1:05"
  interval(-3700) → "-1:01:40"
  interval(1.9) → "1"
  interval(true) → "1"
  interval({}) → error
  interval("x") → error
  formatTime(relTime(1)) → error
  formatTime(5,5) → error
  formatTime("x") → error
  formatTime(undefined) → error
  formatTime(splitTime(absTime("2024-03-01T00:00:00Z")),"%Y-%j-%a") → "2024-061-Fri"
  formatTime([Year=2024;Month=3;Day=1],"%Y%m%d %H") → "20240301 00"
  splitTime([a=1]) → error
  splitTime(relTime(-90061.5)).Days → -1
  splitTime(relTime(-90061.5)).Hours → 1
  splitTime(relTime(-61)).Minutes → -1
  splitTime(relTime(-61)).Seconds → 1.0
  splitTime(0).Type → "AbsoluteTime"
  getDays(absTime(0,0)) → error
  getYear(relTime(1)) → error
  getYear(5) → error
  getHours(relTime(-3700)) → -1
  getMinutes(relTime(-3700)) → -1
  getSeconds(relTime(-3700)) → -40
  getSeconds(relTime(1.9)) → 1
  time(1) → error`,
);
