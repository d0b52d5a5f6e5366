import { Button, Center, Code, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { FaultNote } from "../parts/fault-note.tsx";
import { signIn } from "./session.ts";

/** Asks for a token. */
export function SignIn() {
  const [token, setToken] = useState("");
  const [error, setError] = useState<unknown>();
  const [isAsking, setIsAsking] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setIsAsking(true);
    await signIn(token.trim()).catch(setError);
    setIsAsking(false);
  };
  return (
    <Center component="main" mih="90vh" p="md">
      <Paper withBorder p="xl" w={420} maw="100%">
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <Title order={1}>Sign in to Stint</Title>
            <PasswordInput
              label="Token"
              description="Starts with stint_; shown once, when the token was created"
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
              autoComplete="current-password"
              required
            />
            {error !== undefined && <FaultNote error={error} />}
            <Button type="submit" size="sm" loading={isAsking}>
              Sign in
            </Button>
            <Text size="sm" c="dimmed">
              The owner of the broker finds a token in <Code>admin.token</Code> in the state directory. An
              administrator creates more with <Code>stint token create</Code>.
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
