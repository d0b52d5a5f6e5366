import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo, useMemo } from "react";
import { StateWord } from "../parts/state-word.tsx";
import classes from "./graph.module.css";
import { layersOf } from "./layers.ts";

/** A node of a drawn graph. */
export interface GraphNode {
  readonly key: string;
  readonly parents: readonly string[];
  readonly state: string;
  /** Where it leads; absent: nowhere yet. */
  readonly href?: string;
}

const BOX = { width: 148, height: 42 };
const GAP = { across: 44, down: 12 };
/** Larger graphs are only in the table. */
const MOST_NODES = 400;

/** Nodes by layers from left to right with their states; arrows run from what comes first. */
export const Graph = memo(function DrawnGraph({
  label,
  nodes,
}: {
  readonly label: string;
  readonly nodes: readonly GraphNode[];
}) {
  const drawn = useMemo(() => (nodes.length > MOST_NODES ? undefined : placed(nodes)), [nodes]);
  if (drawn === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {nodes.length} nodes are too many to draw; the table lists all of them.
      </Text>
    );
  }
  const { places, width, height } = drawn;
  return (
    <div className={classes.frame} tabIndex={0} role="region" aria-label={label}>
      <div className={classes.drawing} style={{ width, height }}>
        <Edges {...{ nodes, places, width, height }} />
        {nodes.map((node) => (
          <Box key={node.key} node={node} place={places.get(node.key) ?? [0, 0]} />
        ))}
      </div>
    </div>
  );
});

type Places = ReadonlyMap<string, readonly [x: number, y: number]>;

function placed(nodes: readonly GraphNode[]) {
  const layers = layersOf(nodes);
  const most = Math.max(...layers.map(({ length }) => length));
  const [stepX, stepY] = [BOX.width + GAP.across, BOX.height + GAP.down];
  const places = layers.flatMap((keys, layer) =>
    keys.map((key, at) => {
      const y = (at + (most - keys.length) / 2) * stepY;
      return [key, [layer * stepX, y]] as const;
    }),
  );
  return {
    places: new Map(places) as Places,
    width: layers.length * stepX - GAP.across,
    height: most * stepY - GAP.down,
  };
}

function Box({ node, place }: { readonly node: GraphNode; readonly place: readonly [number, number] }) {
  const [left, top] = place;
  const style = { left, top, ...BOX };
  const content = (
    <>
      <span className={classes.name}>{node.key}</span>
      <StateWord state={node.state} size="xs" />
    </>
  );
  if (node.href === undefined) {
    return (
      <div className={classes.box} style={style} title={node.key}>
        {content}
      </div>
    );
  }
  return (
    <Link className={classes.box} style={style} title={node.key} to={node.href}>
      {content}
    </Link>
  );
}

function Edges({
  nodes,
  places,
  width,
  height,
}: {
  readonly nodes: readonly GraphNode[];
  readonly places: Places;
  readonly width: number;
  readonly height: number;
}) {
  const edges = nodes.flatMap(({ key, parents }) =>
    parents.flatMap((parent) => {
      const [from, to] = [places.get(parent), places.get(key)];
      return from === undefined || to === undefined ? [] : [{ key: `${parent} ${key}`, d: curve(from, to) }];
    }),
  );
  return (
    <svg className={classes.edges} {...{ width, height }} aria-hidden="true">
      <defs>
        <marker
          id="edge-end"
          viewBox="0 0 6 6"
          refX="6"
          refY="3"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0 6 3 0 6z" fill="currentColor" />
        </marker>
      </defs>
      {edges.map(({ key, d }) => (
        <path key={key} d={d} fill="none" stroke="currentColor" markerEnd="url(#edge-end)" />
      ))}
    </svg>
  );
}

function curve([x, y]: readonly [number, number], [toX, toY]: readonly [number, number]): string {
  const [fromX, fromY, endY] = [x + BOX.width, y + BOX.height / 2, toY + BOX.height / 2];
  const bend = GAP.across / 2;
  return `M${fromX} ${fromY}C${fromX + bend} ${fromY} ${toX - bend} ${endY} ${toX} ${endY}`;
}
