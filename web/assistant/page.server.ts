import { data, redirect } from 'react-router'
import { CASE_KINDS, type CaseKind, openCase } from '#shared/assistant/cases.ts'
import { askAssistant, MAX_QUESTION } from '#shared/assistant/chat.ts'
import {
  deleteConversation,
  listConversations,
  listMessages,
  readConversation,
  renameConversation,
} from '#shared/assistant/conversations.ts'
import { DANGERS, type Danger } from '#shared/assistant/intents.ts'
import { assistantLanguageOf } from '#shared/assistant/languages.ts'
import { SCREEN_TOKENS } from '#shared/assistant/limits.ts'
import { readAssistantPreferences } from '#shared/assistant/preferences.ts'
import { attempt, type CallEndpoint, type FormError, visitorOf } from '#web/lib/visitor.ts'
import { answer, fromStored, fromTurns, question, type ShownMessage } from './messages.ts'
import { turnsIn, turnsOf } from './turns.ts'

type Context = Parameters<typeof visitorOf>[0]

/** Initial data of the page: conversations and preferences of a signed-in user. */
export async function conversationsOf(context: Context, query: URLSearchParams) {
  const { user } = visitorOf(context)
  if (!user) return { open: null, goneId: null, list: null, search: '', preferences: null }
  const id = query.get('conversation')
  const search = query.get('search')?.slice(0, 200) ?? ''
  // A public page must load even if the user's own data cannot be read.
  const [open, list, preferences] = await Promise.all([
    id ? attempt(context, (call) => openOf(call, id)) : undefined,
    attempt(context, (call) => call(listConversations, { query: search ? { search } : {} })),
    attempt(context, (call) => call(readAssistantPreferences)),
  ])
  return {
    open: open?.done ?? null,
    goneId: open?.error ? id : null,
    list: list.done?.conversations ?? null,
    search,
    preferences: preferences.done ?? null,
  }
}

async function openOf(call: CallEndpoint, id: string) {
  const params = { id }
  const [{ conversation }, { messages }] = await Promise.all([
    call(readConversation, { params }),
    call(listMessages, { params }),
  ])
  return { id, title: conversation.title, messages: messages.map(fromStored) }
}

export interface ChatActionData {
  messages: ShownMessage[]
  /** The question that could not be sent. */
  question: string
  error: FormError | null
  /** Handed over to a human. */
  handed: { kind: CaseKind; reference: string; content: string } | null
  caseError: { kind: CaseKind; error: FormError; values: Record<string, string> } | null
}

/** Handles the forms of the page without scripts. No `formAction`: what is shown again is the whole conversation. */
export async function handleForm(context: Context, request: Request) {
  const form = await request.formData()
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.replace(/\r\n/g, '\n').replaceAll('\0', '') : ''
  }
  const kind = CASE_KINDS.find((each) => each === text('case'))
  if (kind) return submitCase(context, kind, form, text)
  if (text('change')) return change(context, text)
  return ask(context, form, text)
}

type Text = (name: string) => string

const earlier = (context: Context, form: FormData): ShownMessage[] =>
  fromTurns(turnsIn(form.getAll('turn')), visitorOf(context).now.toISOString())

async function ask(context: Context, form: FormData, text: Text) {
  const { now, language, user } = visitorOf(context)
  const before = earlier(context, form)
  // The country form repeats the question with the country's name.
  const questionText = [text('question'), text('place')].join('\n').trim()
  const nothing = { messages: before, question: '', error: null, handed: null, caseError: null }
  if (questionText === '') return nothing
  const chosen = assistantLanguageOf(text('language'))
  const { done, error } = await attempt(context, (call) =>
    call(askAssistant, {
      body: {
        messages: [...turnsOf(before), { sender: 'user', content: questionText.slice(0, MAX_QUESTION * 2) }],
        interface_language: language,
        options: { max_tokens: SCREEN_TOKENS },
        ...(chosen ? { language: chosen } : {}),
        ...(text('conversation') ? { conversation_id: text('conversation') } : {}),
        save: text('unsaved') === '',
      },
    }),
  )
  if (error) return data({ ...nothing, question: questionText, error }, { status: error.status })
  const id = done.metadata.conversation_id
  // An answer about danger is not stored in the server's copy.
  if (user && id && !done.metadata.danger) throw redirect(`/ai-chat?conversation=${id}`)
  const at = now.toISOString()
  const mine: ShownMessage = { ...question(`asked-${before.length}`, questionText, at), status: 'delivered' }
  const content = done.ai_response.content
  const reply = answer(`answer-${before.length}`, { content, timestamp: at, replyTo: mine.id }, done.metadata)
  return { ...nothing, messages: [...before, mine, reply] }
}

async function submitCase(context: Context, kind: CaseKind, form: FormData, text: Text) {
  const messages = earlier(context, form)
  const values = Object.fromEntries(
    ['name', 'safe_phone', 'safe_time', 'note'].map((name) => [name, text(name).trim()]),
  )
  const filledValues = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const { done, error } = await attempt(context, (call) =>
    call(openCase, {
      body: {
        kind,
        messages: turnsOf(messages),
        conversation_id: text('conversation') || null,
        question_id: text('question_id') || null,
        dangers: form.getAll('danger').filter((danger): danger is Danger => DANGERS.includes(danger as Danger)),
        country: text('country') || null,
        language: assistantLanguageOf(text('case_language')) ?? 'en',
        ...filledValues,
      },
    }),
  )
  const shown = { messages: await withPanel(context, kind, messages, form), question: '', error: null }
  if (error) {
    const caseError = { kind, error, values }
    return data({ ...shown, handed: null, caseError }, { status: error.status })
  }
  return { ...shown, handed: { kind, ...done }, caseError: null }
}

/** Keeps the numbers visible after a request for help: the last question is answered again, from records alone. */
async function withPanel(
  context: Context,
  kind: CaseKind,
  messages: ShownMessage[],
  form: FormData,
): Promise<ShownMessage[]> {
  const at = messages.findLastIndex(({ sender }) => sender === 'user')
  const last = messages[at]
  if ((kind !== 'danger' && !form.has('danger')) || !last) return messages
  const { done } = await attempt(context, (call) =>
    call(askAssistant, { body: { messages: turnsOf(messages.slice(0, at + 1)), save: false } }),
  )
  if (!done) return messages
  const again = { content: done.ai_response.content, timestamp: last.timestamp, replyTo: last.id }
  return [...messages.slice(0, at + 1), answer(`answer-${at}`, again, done.metadata)]
}

/** Renames or deletes the open conversation. */
async function change(context: Context, text: Text) {
  const params = { id: text('conversation') }
  const { error } = await attempt(
    context,
    (call): Promise<unknown> =>
      text('change') === 'rename'
        ? call(renameConversation, { params, body: { title: text('title') } })
        : call(deleteConversation, { params }),
  )
  if (!error) throw redirect(text('change') === 'rename' ? `/ai-chat?conversation=${params.id}` : '/ai-chat')
  return data({ messages: [], question: '', error, handed: null, caseError: null } satisfies ChatActionData, {
    status: error.status,
  })
}
