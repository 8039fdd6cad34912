import { describe, expect, test } from 'vitest'
import { begun, type Conversation, changed, type Happening, unanswered } from './conversation.ts'
import { metadata, panel } from './testing.ts'

const at = '2026-09-27T16:40:00.000Z'
const asked = (content = 'What is PDOS?', id = 'q1'): Happening => ({
  type: 'asked',
  id,
  conversationId: 'c1',
  content,
  at,
})
const began: Happening = { type: 'began', id: 'a1', lead: { danger: null, notice: null, language: 'en' } }
const words = (text: string): Happening => ({ type: 'words', text })
const answered = (content: string, more = {}): Happening => ({
  type: 'answered',
  id: 'a1',
  content,
  metadata: metadata(more),
  at,
})
const run = (...happenings: Happening[]): Conversation => happenings.reduce(changed, begun(''))
const contents = ({ messages }: Conversation) => messages.map(({ content }) => content)

describe('asking', () => {
  test('the question is on its way until something comes back', () => {
    expect(run(asked()).messages[0]).toMatchObject({ sender: 'user', status: 'sending' })
    expect(run(asked(), began).messages[0]).toMatchObject({ status: 'delivered' })
  })

  test('words come one after the other, and the whole answer takes their place under the same id', () => {
    const writing = run(asked(), began, words('PDOS '), words('is'))
    expect(writing).toMatchObject({ phase: 'writing', draft: { id: 'a1', content: 'PDOS is' } })
    const whole = changed(writing, answered('PDOS is a seminar. [1]'))
    expect(whole).toMatchObject({ phase: 'idle', draft: null })
    expect(whole.messages.at(-1)).toMatchObject({ id: 'a1', content: 'PDOS is a seminar. [1]', replyTo: 'q1' })
  })

  test('the first question becomes the title, a name that was given stays', () => {
    expect(run(asked('  What   is PDOS? ')).title).toBe('What is PDOS?')
    expect(run(asked(), answered('A.'), { type: 'renamed', title: 'Mine' }, asked('More?', 'q2')).title).toBe('Mine')
  })

  test('the server names the conversation that it keeps', () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
    expect(run(asked(), answered('A.', { conversation_id: id }))).toMatchObject({ id, isOnServer: true })
    expect(run(asked(), answered('A.'))).toMatchObject({ id: 'c1', isOnServer: false })
  })
})

describe('when it does not go well', () => {
  const failed: Happening = { type: 'failed', failure: { code: 'offline', error: '' } }

  test('the question stays, is asked again without being written twice, and is answered', () => {
    const waiting = run(asked(), failed)
    expect(waiting).toMatchObject({ phase: 'idle', failure: { code: 'offline' } })
    expect(unanswered(waiting)?.content).toBe('What is PDOS?')
    const again = changed(changed(waiting, { type: 'asked again' }), answered('A seminar.'))
    expect(again.failure).toBeNull()
    expect(contents(again)).toEqual(['What is PDOS?', 'A seminar.'])
  })

  test('what was written before it was stopped stays, and says so', () => {
    const stopped = run(asked(), began, words('PDOS is'), { type: 'stopped', at })
    expect(stopped.messages.at(-1)).toMatchObject({ content: 'PDOS is', isStopped: true })
    expect(stopped.phase).toBe('idle')
  })

  test('stopped before the first word, the question can be asked again', () => {
    const stopped = run(asked(), { type: 'stopped', at })
    expect(stopped.failure?.code).toBe('stopped')
    expect(unanswered(stopped)).toBeDefined()
  })

  test('the numbers to call stay when an answer to somebody in danger is stopped', () => {
    const lead = { danger: panel, language: 'en' as const }
    const stopped = run(asked(), { type: 'began', id: 'a1', lead }, { type: 'stopped', at })
    expect(stopped.messages.at(-1)?.metadata?.danger).toEqual(panel)
  })

  test('what comes after the end changes nothing', () => {
    const stopped = run(asked(), { type: 'stopped', at })
    for (const late of [began, words('late'), answered('late')]) expect(changed(stopped, late)).toBe(stopped)
  })
})
