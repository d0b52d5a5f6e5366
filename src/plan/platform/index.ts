export { type Instance, instanceOf, stageInMs, transferMs } from "./instance.ts";
export {
  type FreeBeside,
  ownPlatform,
  type Platform,
  type PlatformSite,
  type SlotForSale,
} from "./platform.ts";
