import { Radio, Table, Text } from "@mantine/core";
import type { PlansView } from "../../app/client.ts";
import { lengthText, numberText, suText } from "../../parts/format.ts";
import { Section } from "../../parts/section.tsx";
import classes from "./plan.module.css";

type Plan = PlansView["plans"][number];

interface Choice {
  readonly plans: readonly Plan[];
  /** Index of the selected plan. */
  readonly at: number;
  readonly onChoose: (at: number) => void;
}

/** Pareto front of makespan and cost, as a scatter plot and as a table. */
export function Front({ plans, at, onChoose }: Choice) {
  const hasProbability = plans.some(({ deadlineProbability }) => deadlineProbability !== null);
  const hasMean = plans.some(({ meanMakespanSec }) => meanMakespanSec !== null);
  return (
    <Section title={plans.length === 1 ? "One plan" : `${plans.length} plans to choose from`}>
      {plans.length === 1 ? (
        <Text size="sm">No other plan is cheaper or faster.</Text>
      ) : (
        <Scatter plans={plans} at={at} onChoose={onChoose} />
      )}
      <div className="table-wrap" tabIndex={0} role="region" aria-label="Plans">
        <Table aria-label="Plans" miw={520}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Plan</Table.Th>
              <Table.Th className="number">Makespan</Table.Th>
              <Table.Th className="number">Price</Table.Th>
              <Table.Th className="number">Reservations</Table.Th>
              {hasMean && <Table.Th className="number">Simulated mean</Table.Th>}
              {hasProbability && <Table.Th className="number">Meets the deadline</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {plans.map((plan, place) => (
              <Table.Tr key={`${plan.makespanSec} ${plan.costSu}`}>
                <Table.Td>
                  <Radio
                    size="xs"
                    name="plan"
                    label={nameOf(plan, place)}
                    checked={place === at}
                    onChange={() => onChoose(place)}
                  />
                </Table.Td>
                <Table.Td className="number">{lengthText(1000 * plan.makespanSec)}</Table.Td>
                <Table.Td className="number">{suText(plan.costSu)}</Table.Td>
                <Table.Td className="number">{plan.reservations.length}</Table.Td>
                {hasMean && (
                  <Table.Td className="number">{lengthText(1000 * (plan.meanMakespanSec ?? 0))}</Table.Td>
                )}
                {hasProbability && (
                  <Table.Td className="number">
                    {numberText(100 * (plan.deadlineProbability ?? 0))} %
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  );
}

function nameOf({ chosen, feasible }: Plan, place: number): string {
  const limits = feasible ? "" : ", misses the deadline or the budget";
  return `${place + 1}${chosen ? ", recommended" : ""}${limits}`;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, MARGIN] = [640, 240, 70, 34, 16];

/** Makespan to the right, price upwards; a click selects, as the buttons of the table do. */
function Scatter({ plans, at, onChoose }: Choice) {
  const x = scaleOf(
    plans.map(({ makespanSec }) => makespanSec),
    [LEFT + MARGIN, WIDTH - MARGIN],
  );
  const y = scaleOf(
    plans.map(({ costSu }) => costSu),
    [HEIGHT - BOTTOM - MARGIN, MARGIN],
  );
  const [first, last] = [plans[0], plans.at(-1)];
  if (first === undefined || last === undefined) return null;
  const costs = plans.map(({ costSu }) => costSu);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={classes.scatter}
      role="img"
      aria-label={`Price against makespan of ${plans.length} plans; the table below has the same`}
    >
      <path
        className={classes.axis}
        d={`M${LEFT} ${MARGIN / 2}V${HEIGHT - BOTTOM}H${WIDTH - MARGIN / 2}`}
        fill="none"
      />
      <text x={LEFT - 6} y={MARGIN + 4} textAnchor="end">
        {suText(Math.max(...costs))}
      </text>
      <text x={LEFT - 6} y={HEIGHT - BOTTOM - MARGIN + 4} textAnchor="end">
        {suText(Math.min(...costs))}
      </text>
      <text x={x(first.makespanSec)} y={HEIGHT - BOTTOM + 16} textAnchor="start">
        {lengthText(1000 * first.makespanSec)}
      </text>
      <text x={x(last.makespanSec)} y={HEIGHT - BOTTOM + 16} textAnchor="end">
        {lengthText(1000 * last.makespanSec)}
      </text>
      <text x={(LEFT + WIDTH) / 2} y={HEIGHT - 4} textAnchor="middle">
        makespan
      </text>
      <text x={LEFT - 6} y={(HEIGHT - BOTTOM) / 2} textAnchor="end">
        price
      </text>
      {plans.map((plan, place) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the radio buttons of the table do the same
        <circle
          key={`${plan.makespanSec} ${plan.costSu}`}
          className={place === at ? classes.selected : classes.point}
          cx={x(plan.makespanSec)}
          cy={y(plan.costSu)}
          r={place === at ? 8 : 6}
          onClick={() => onChoose(place)}
        />
      ))}
    </svg>
  );
}

/** Places values evenly between two ends; all in the middle where they are equal. */
function scaleOf(
  values: readonly number[],
  [from, to]: readonly [number, number],
): (value: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) =>
    most === least ? (from + to) / 2 : from + ((to - from) * (value - least)) / (most - least);
}
