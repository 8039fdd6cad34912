import { useSaid } from '../lib/said.ts'
import { Note } from '../ui/Note.tsx'

/** What the server answered to something that was sent. */
export function Told({ text }: { text: string }) {
  const said = useSaid()(text) ?? text
  const [, first, rest] = /^(.+?[.!؟?])\s+(.+)$/s.exec(said) ?? [said, said]
  return (
    <Note kind="success" title={first} isLive>
      {rest && <p>{rest}</p>}
    </Note>
  )
}
