import { describe, expect, it } from "vitest";
import { recogniseJobLanguage } from "./recognise.ts";

describe("the language of a description", () => {
  it.each([
    ["executable: hostname\n", "yaml"],
    ["---\nexecutable: hostname\n", "yaml"],
    ["# a comment\n\nexecutable: hostname\n", "yaml"],
    ['{"executable": "hostname"}', "yaml"],
    ["job: x\n", "yaml"],
    ["job x: y\n", "yaml"],
    ["", "yaml"],
    ["/* open", "yaml"],
    ['[ Executable = "a"; ]', "jdl"],
    ['// mine\n/* all\n mine */ # too\n[\nExecutable = "a"; ]', "jdl"],
    ['Executable = "a";\nArguments = "b";', "jdl"],
    ["executable = a\narguments = b\nqueue 3\n", "condorSubmit"],
    ['<?xml version="1.0"?>\n<adag name="x">', "dax"],
    ["<jsdl:JobDefinition>", "jsdl"],
    ["<stream/>", "xml"],
    ['{"name": "w", "workflow": {"tasks": []}}', "wfformat"],
    ["JOB a a.sub\nPARENT a CHILD b\n", "dagman"],
    ["#!/bin/sh\n#SBATCH -n 4\n./a.out", "batchScript"],
    ["#!/bin/bash\n#PBS -l nodes=2\n", "batchScript"],
    ["#!/bin/bash\n#$ -pe mpi 4\n", "batchScript"],
    ["#!/bin/sh\n#MSUB -l nodes=2\n", "batchScript"],
    ["#!/bin/sh\n#BSUB -n 2\n", "batchScript"],
    ["#!/bin/sh\n# @ class = long\n# @ queue\n", "batchScript"],
    ["#PBS -l nodes=2\nhostname\n", "batchScript"],
    ["#!/bin/sh\n# @author Ada\n#$ note\n", "script"],
    ["#!/bin/sh\necho hello", "script"],
    ["&(executable=a)(count=2)", "rsl"],
    ["(executable=a)(count=2)", "rsl"],
    ["(* mine *)&(executable=a)", "rsl"],
    ["if true\nexecutable = a\nendif\nqueue\n", "condorSubmit"],
  ])("FO-21 %j is %s", (text, language) => {
    expect(recogniseJobLanguage(text)).toBe(language);
  });
});
