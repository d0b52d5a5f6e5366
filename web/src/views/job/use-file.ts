import { useEffect, useState } from "react";
import { client } from "../../app/client.ts";

/** More than this is not kept in the page. */
const MOST_CHARS = 200_000;

/** A file of a job as it is written, until the job has ended; its end where it is long. */
export function useFile(id: string, name: string): { text: string; isCut: boolean; trouble?: string } {
  const [shown, setShown] = useState<{ text: string; isCut: boolean; trouble?: string }>({
    text: "",
    isCut: false,
  });
  useEffect(() => {
    const end = new AbortController();
    const follow = async (): Promise<void> => {
      const url = `${client.fileUrl(id, name)}?follow=true`;
      const response = await fetch(url, { signal: end.signal, headers: { "x-stint-page": "1" } });
      if (!response.ok || response.body === null) {
        if (response.status !== 404)
          setShown((it) => ({ ...it, trouble: `The file cannot be read (HTTP status ${response.status}).` }));
        return;
      }
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        setShown(({ text, isCut }) => {
          const whole = text + value;
          return { text: whole.slice(-MOST_CHARS), isCut: isCut || whole.length > MOST_CHARS };
        });
      }
    };
    follow().catch((error: unknown) => {
      if (!end.signal.aborted)
        setShown((it) => ({ ...it, trouble: `The end of the file is missing: ${String(error)}` }));
    });
    return () => end.abort();
  }, [id, name]);
  return shown;
}
