export { readElements, type XmlElement, type XmlFault } from "./elements.ts";
