import { createContext, type ReactNode, use } from 'react'
import { useChat } from './ChatProvider.tsx'
import { isInDanger, isWhollyOnServer } from './conversation.ts'
import { fieldsOf } from './turns.ts'

/** Whether scripts handle the forms of the page. */
export const ScriptsContext = createContext(false)
export const useScripts = () => use(ScriptsContext)

/** Form action without scripts: the conversation stored on the server, or the page that contains all of it. */
export function useFormAddress(): string {
  const { conversation } = useChat()
  return isWhollyOnServer(conversation) ? `/ai-chat?conversation=${conversation.id}` : '/ai-chat'
}

/** Hidden fields that carry the page state of a form without scripts: the conversation so far and its id. */
export function RetryButton() {
  const { conversation, preferences } = useChat()
  const isSaved = isWhollyOnServer(conversation)
  // Not submitted with scripts: avoids rendering it again with every token.
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

/** One of several suggested questions: a button each, which posts it without scripts. */
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
      <RetryButton />
      {children}
    </form>
  )
}
