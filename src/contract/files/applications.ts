/** Applications: the table of a site, and the names in a job. */
import { APPLICATION_ASKED, APPLICATION_NAME } from "../../model/index.ts";
import { list, mapping, names, text } from "./shape.ts";

const keyMismatch = {
  code: "badApplication",
  noun: "name of an application",
  why: "a name is up to 63 letters, digits and . _ + / @ -, and begins with a letter or a digit",
};

const askedMismatch = {
  code: "badApplication",
  noun: "application",
  why: "it must be a name, optionally with one or two of >= > <= < == and a version: gromacs >= 2023 < 2025",
};

/** Applications that a job names. */
export const applicationNames = list(text({ pattern: APPLICATION_ASKED.source, mismatch: askedMismatch }), {
  description:
    "Applications that the site must have, by the names that sites give them (stint site show), or by " +
    "version ranges: gromacs/2024 satisfies gromacs >= 2023. The site sets them up, for instance by " +
    "loading modules, before the program runs.",
  ...{ orOne: true, examples: ["[gromacs]", "[gromacs >= 2023]"] },
});

/** Absolute path at a site. */
export const absolutePath = (description: string, example = "/scratch/streams") =>
  text({
    ...{ description, pattern: "^/[^\\p{Cc}]{0,4095}$", examples: [example] },
    mismatch: {
      code: "badPath",
      noun: "absolute path",
      why: "it must begin with / and have no control characters",
    },
  });

/** Applications by their names. */
export const applicationsShape = names(
  mapping(
    {
      modules: list(text({}), {
        description: "Environment modules to load, in this order.",
        ...{ orOne: true, examples: ["[gromacs/2023]"] },
      }),
      init: absolutePath(
        "A script that defines the command module for a POSIX shell; /etc/profile.d/modules.sh where " +
          "absent.",
        "/usr/share/lmod/lmod/init/sh",
      ),
      path: list(absolutePath("One of them.", "/opt/gromacs/bin"), {
        description: "Directories that are added at the beginning of PATH.",
        ...{ orOne: true, examples: ["[/opt/gromacs/bin]"] },
      }),
      environment: names(text({}), {
        description: "Environment variables; those that the job sets itself take precedence.",
        examples: ["{ GMXLIB: /opt/gromacs/share }"],
        keys: {
          pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
          mismatch: {
            code: "badVariable",
            noun: "name of a variable",
            why: "a name has letters, digits and _, and does not begin with a digit",
          },
        },
      }),
      launcher: list(text({}), {
        description: "A command that starts the program; the job's command follows it as arguments.",
        ...{ orOne: true, examples: ["[mpirun, --bind-to, core]"] },
      }),
      container: absolutePath(
        "An image in which the program runs, by apptainer exec.",
        "/images/gromacs.sif",
      ),
    },
    { description: "Setup of an application. Without any of these keys nothing is set up." },
  ),
  {
    description:
      "Applications that jobs can request by name, and how each is set up before the program runs. " +
      "Their names are in GlueHostApplicationSoftwareRunTimeEnvironment.",
    ...{ defined: "applications", examples: ["{ gromacs: { modules: [gromacs/2023] } }"] },
    keys: { pattern: APPLICATION_NAME.source, mismatch: keyMismatch },
  },
);
