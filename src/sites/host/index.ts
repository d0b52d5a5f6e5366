export { runSensor, type SensorRequest, type SensorWorld } from "./run-sensor.ts";
