import { useTranslateMessage } from '#web/lib/server-messages.ts'
import { Note } from '#web/ui/Note.tsx'

/** The server's response to a form submission. */
export function ServerMessage({ text }: { text: string }) {
  const message = useTranslateMessage()(text) ?? text
  const [, first, rest] = /^(.+?[.!؟?])\s+(.+)$/s.exec(message) ?? [message, message]
  return (
    <Note kind="success" title={first} isLive>
      {rest && <p>{rest}</p>}
    </Note>
  )
}
