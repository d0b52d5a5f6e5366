import { Alert, AppShell, Burger, Button, Group, Menu, Text, useMantineColorScheme } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { FaultNote } from "../parts/fault-note.tsx";
import { Loading } from "../parts/loading.tsx";
import { clockText } from "../parts/time.tsx";
import type { SessionView } from "./client.ts";
import { useLive } from "./live.ts";
import { signOut, useMay, useSession } from "./session.ts";
import { SignIn } from "./sign-in.tsx";
import { VIEWS } from "./views.ts";

/** The frame of all views: who is signed in, the menu, and whether what is shown is live. */
export function Shell() {
  const { data: session, error, isPending } = useSession();
  if (session) return <SignedIn session={session} />;
  if (session === null) return <SignIn />;
  if (isPending) return <Loading m="xl" />;
  return <FaultNote error={error} />;
}

function SignedIn({ session }: { readonly session: SessionView }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 190, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a href="#content" className="skip">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Text fw={700} component={Link} to="/" c="inherit" td="none">
              Stint
            </Text>
          </Group>
          <Caller session={session} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Views">
        <ViewLinks onFollow={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Connection />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function ViewLinks({ onFollow }: { readonly onFollow: () => void }) {
  const may = useMay();
  const place = useLocation({ select: ({ pathname }) => pathname });
  const below = VIEWS.find(({ path, below }) => below !== undefined && isAt(place, path))?.below;
  return VIEWS.filter(({ label, needs }) => label !== undefined && (needs === undefined || may(needs))).map(
    ({ path, label }) => (
      <Link
        key={path}
        to={path}
        className="nav-link"
        {...(path === below ? { "data-status": "active" } : {})}
        activeOptions={{ exact: path === "/" }}
        onClick={onFollow}
      >
        {label}
      </Link>
    ),
  );
}

/** True where a place has the path of a view, without its parameters. */
function isAt(place: string, path: string): boolean {
  const [fixed = ""] = path.split("$");
  return fixed === path ? place === path : place.startsWith(fixed);
}

function Caller({ session }: { readonly session: SessionView }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = { auto: "System", light: "Light", dark: "Dark" } as const;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="subtle" color="gray" maw={220}>
          <Text size="sm" truncate>
            {session.consumer} ({session.role})
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Appearance</Menu.Label>
        {Object.entries(schemes).map(([scheme, name]) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme as keyof typeof schemes)}
            rightSection={colorScheme === scheme ? "✓" : undefined}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/api/docs/">
          API
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
        <Menu.Label>Stint {session.version}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}

function Connection() {
  const liveness = useLive();
  if (liveness.state !== "lost") return null;
  return (
    <Alert color="yellow" variant="light" mb="md" title="Not live" role="status">
      The connection to the broker was lost at {clockText(liveness.since)}; the page may be out of date. It
      reconnects automatically.
    </Alert>
  );
}
