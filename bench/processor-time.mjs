/** Loaded before a program (`node --import`): says at its end how much processor time it took, in ms. */
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  console.error(`processor_ms ${((user + system) / 1000).toFixed(1)}`);
});
