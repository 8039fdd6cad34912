import { createContext, type ReactNode, use } from 'react'
import { useChat } from './ChatProvider.tsx'
import { isInDanger, isWhollyOnServer } from './conversation.ts'
import { fieldsOf } from './turns.ts'

/** Whether scripts answer the forms of the page. */
export const ScriptsContext = createContext(false)
export const useScripts = () => use(ScriptsContext)

/** Where a form without scripts goes: to the conversation that the server has, or to the page that has it all itself. */
export function useFormAddress(): string {
  const { conversation } = useChat()
  return isWhollyOnServer(conversation) ? `/ai-chat?conversation=${conversation.id}` : '/ai-chat'
}

/** What a form without scripts says again of the page it stands on: what was said before, and in which conversation. */
export function Again() {
  const { conversation, preferences } = useChat()
  const isSaved = isWhollyOnServer(conversation)
  // With scripts nothing of it is sent: no need to write it anew with every word.
  if (useScripts()) return null
  return (
    <>
      {isSaved && <input type="hidden" name="conversation" value={conversation.id} />}
      {isInDanger(conversation) && <input type="hidden" name="unsaved" value="1" />}
      {!isSaved &&
        fieldsOf(conversation.messages).map((turn) => <input key={turn} type="hidden" name="turn" value={turn} />)}
      {preferences.language && <input type="hidden" name="language" value={preferences.language} />}
    </>
  )
}

/** Asks one of several questions that are ready: each is a button, which without scripts posts it. */
export function AskForm({ id, children }: { id?: string; children?: ReactNode }) {
  const { ask } = useChat()
  const address = useFormAddress()
  return (
    <form
      id={id}
      method="post"
      action={address}
      onSubmit={(event) => {
        event.preventDefault()
        const button = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null
        if (button) ask(button.value)
      }}
    >
      <Again />
      {children}
    </form>
  )
}
