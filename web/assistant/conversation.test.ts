import { describe, expect, test } from 'vitest'
import { begun, type Conversation, type ConversationAction, conversationReducer, unanswered } from './conversation.ts'
import { metadata, panel } from './testing.ts'

const at = '2026-09-27T16:40:00.000Z'
const askAction = (content = 'What is PDOS?', id = 'q1'): ConversationAction => ({
  type: 'asked',
  id,
  conversationId: 'c1',
  content,
  at,
})
const began: ConversationAction = { type: 'began', id: 'a1', lead: { danger: null, notice: null, language: 'en' } }
const textAction = (text: string): ConversationAction => ({ type: 'words', text })
const answered = (content: string, more = {}): ConversationAction => ({
  type: 'answered',
  id: 'a1',
  content,
  metadata: metadata(more),
  at,
})
const run = (...happenings: ConversationAction[]): Conversation => happenings.reduce(conversationReducer, begun(''))
const contents = ({ messages }: Conversation) => messages.map(({ content }) => content)

describe('asking', () => {
  test('the question is pending until a response arrives', () => {
    expect(run(askAction()).messages[0]).toMatchObject({ sender: 'user', status: 'sending' })
    expect(run(askAction(), began).messages[0]).toMatchObject({ status: 'delivered' })
  })

  test('tokens arrive one by one, and the whole answer replaces them under the same id', () => {
    const writing = run(askAction(), began, textAction('PDOS '), textAction('is'))
    expect(writing).toMatchObject({ phase: 'writing', draft: { id: 'a1', content: 'PDOS is' } })
    const whole = conversationReducer(writing, answered('PDOS is a seminar. [1]'))
    expect(whole).toMatchObject({ phase: 'idle', draft: null })
    expect(whole.messages.at(-1)).toMatchObject({ id: 'a1', content: 'PDOS is a seminar. [1]', replyTo: 'q1' })
  })

  test('the first question becomes the title, a title set by the user stays', () => {
    expect(run(askAction('  What   is PDOS? ')).title).toBe('What is PDOS?')
    expect(run(askAction(), answered('A.'), { type: 'renamed', title: 'Mine' }, askAction('More?', 'q2')).title).toBe(
      'Mine',
    )
  })

  test('the server names the conversation that it stores', () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
    expect(run(askAction(), answered('A.', { conversation_id: id }))).toMatchObject({ id, isOnServer: true })
    expect(run(askAction(), answered('A.'))).toMatchObject({ id: 'c1', isOnServer: false })
  })
})

describe('errors', () => {
  const failed: ConversationAction = { type: 'failed', error: { code: 'offline', error: '' } }

  test('the question stays, is retried without being duplicated, and is answered', () => {
    const waiting = run(askAction(), failed)
    expect(waiting).toMatchObject({ phase: 'idle', error: { code: 'offline' } })
    expect(unanswered(waiting)?.content).toBe('What is PDOS?')
    const again = conversationReducer(conversationReducer(waiting, { type: 'asked again' }), answered('A seminar.'))
    expect(again.error).toBeNull()
    expect(contents(again)).toEqual(['What is PDOS?', 'A seminar.'])
  })

  test('text received before stopping stays, and is marked as stopped', () => {
    const state = run(askAction(), began, textAction('PDOS is'), { type: 'stopped', at })
    expect(state.messages.at(-1)).toMatchObject({ content: 'PDOS is', isCancelled: true })
    expect(state.phase).toBe('idle')
  })

  test('stopped before the first token, the question can be retried', () => {
    const state = run(askAction(), { type: 'stopped', at })
    expect(state.error?.code).toBe('stopped')
    expect(unanswered(state)).toBeDefined()
  })

  test('emergency numbers stay when an answer is stopped', () => {
    const lead = { danger: panel, language: 'en' as const }
    const state = run(askAction(), { type: 'began', id: 'a1', lead }, { type: 'stopped', at })
    expect(state.messages.at(-1)?.metadata?.danger).toEqual(panel)
  })

  test('events after the end change nothing', () => {
    const state = run(askAction(), { type: 'stopped', at })
    for (const late of [began, textAction('late'), answered('late')])
      expect(conversationReducer(state, late)).toBe(state)
  })
})
