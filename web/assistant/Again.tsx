import { createContext, type ReactNode, use } from 'react'
import { useChat } from './ChatProvider.tsx'
import { fieldsOf } from './turns.ts'

/** Whether scripts answer the forms of the page. */
export const ScriptsContext = createContext(false)
export const useScripts = () => use(ScriptsContext)

/** What a form without scripts says again of the page it stands on: what was said before, and in which conversation. */
export function Again() {
  const { conversation, wishes } = useChat()
  // With scripts nothing of it is sent: no need to write it anew with every word.
  if (useScripts()) return null
  return (
    <>
      {conversation.isOnServer && <input type="hidden" name="conversation" value={conversation.id} />}
      {!conversation.isOnServer &&
        fieldsOf(conversation.messages).map((turn) => <input key={turn} type="hidden" name="turn" value={turn} />)}
      {wishes.language && <input type="hidden" name="language" value={wishes.language} />}
    </>
  )
}

/** Asks one of several questions that are ready: each is a button, which without scripts posts it. */
export function AskForm({ children }: { children: ReactNode }) {
  const { ask } = useChat()
  return (
    <form
      method="post"
      action="/ai-chat"
      onSubmit={(event) => {
        event.preventDefault()
        const asked = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null
        if (asked) ask(asked.value)
      }}
    >
      <Again />
      {children}
    </form>
  )
}
