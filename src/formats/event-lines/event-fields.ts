/** Fields that both forms of event files share: names of components, and of what an event tells. */
import type { Component } from "../../bookkeeping/index.ts";

const SOURCES: Readonly<Record<string, Component>> = {
  userinterface: "UI",
  networkserver: "NS",
  workloadmanager: "WM",
  bighelper: "BH",
  jobsubmission: "JSS",
  jobcontroller: "JSS",
  logmonitor: "LM",
  lrms: "LRMS",
  application: "APP",
  lbserver: "LBS",
};

const KINDS = [
  ...["RegJob", "Accepted", "Refused", "EnQueued", "DeQueued", "HelperCall", "HelperReturn", "Transfer"],
  ...["Running", "ReallyRunning", "Resubmission", "Done", "Cancel", "Abort", "Clear", "Purge", "Match"],
  ...["Pending", "Chkpt", "Listener", "CurDescr", "UserTag", "ChangeACL", "Notification", "ResourceUsage"],
  ...["Suspend", "Resume", "CollectionState", "GrantPayloadOwnership", "TakePayloadOwnership"],
];

/** The component of a name, in whatever case; undefined: no component that has a sequence code. */
export function sourceOf(name: string): Component | undefined {
  return SOURCES[name.toLowerCase()];
}

/** The kind of event as it is usually written; one that is not known stays as it is. */
export function kindOf(name: string): string {
  return KINDS.find((kind) => kind.toLowerCase() === name.toLowerCase()) ?? name;
}
