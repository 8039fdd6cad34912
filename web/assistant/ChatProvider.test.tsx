import { expect, test } from 'vitest'
import { markupOf } from '#web/advisories/markup.tsx'
import { useChat } from './ChatProvider.tsx'

function Lost() {
  useChat()
  return null
}

test('the conversation is only usable inside its provider', () => {
  expect(() => markupOf(<Lost />)).toThrow('useChat must be used within a ChatProvider')
})
