export { readElements, type XmlElement } from "./elements.ts";
