export { runSensor, type SensorRequest } from "./run-sensor.ts";
