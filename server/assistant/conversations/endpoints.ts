import type { Router } from '#server/http/router.ts'
import { firstOf } from '#shared/assert.ts'
import {
  addMessage,
  createConversation,
  deleteAllConversations,
  deleteConversation,
  listConversations,
  listMessages,
  readConversation,
  renameConversation,
} from '#shared/assistant/conversations.ts'
import { changeAssistantPreferences, readAssistantPreferences } from '#shared/assistant/preferences.ts'
import { changePreferences, findPreferences } from './preferences.ts'
import { findConversation, findConversations, findMessages, shownMessage } from './queries.ts'
import { addMessages, beginConversation, conversationNotFound, forgetConversations, lockConversation } from './store.ts'

/** The user's own conversations with the assistant, and their preferences. */
export function registerConversations(router: Router) {
  router.handle(listConversations, async ({ db, user }, { query }) => {
    const found = await findConversations(db, user.id, query.search)
    return { conversations: found, total: found.length }
  })

  router.handle(createConversation, async ({ db, user, now }, { body }) => {
    const id = await beginConversation(db, user.id, body)
    const isEmpty = (await findConversation(db, user.id, id)).messageCount === 0
    // Restoring from two tabs does not duplicate the messages.
    if (isEmpty && body.messages)
      await addMessages(
        db,
        user.id,
        id,
        body.messages.map(({ id: _, created_at, ...message }) => ({
          ...message,
          ...(created_at ? { created_at: new Date(Math.min(now.valueOf(), Date.parse(created_at))) } : {}),
        })),
        now,
      )
    return { conversation: await findConversation(db, user.id, id) }
  })

  router.handle(readConversation, async ({ db, user }, { params }) => ({
    conversation: await findConversation(db, user.id, params.id),
  }))

  router.handle(renameConversation, async ({ db, user }, { params, body }) => {
    await lockConversation(db, user.id, params.id)
    await db.updateTable('ai_conversations').set({ title: body.title }).where('id', '=', params.id).execute()
    return { conversation: await findConversation(db, user.id, params.id) }
  })

  router.handle(deleteConversation, async ({ db, user, now }, { params }) => {
    const forgotten = await forgetConversations(db, { userId: user.id, id: params.id }, now)
    if (forgotten === 0) throw conversationNotFound()
    return {}
  })

  router.handle(deleteAllConversations, async ({ db, user, now }) => ({
    deleted: await forgetConversations(db, { userId: user.id }, now),
  }))

  router.handle(listMessages, async ({ db, user }, { params }) => ({
    messages: await findMessages(db, user.id, params.id),
  }))

  router.handle(addMessage, async ({ db, user, now }, { params, body }) => {
    const added = await addMessages(db, user.id, params.id, [{ ...body, sender_type: 'user' }], now)
    return { message: shownMessage(firstOf(added)) }
  })

  router.handle(readAssistantPreferences, ({ db, user }) => findPreferences(db, user.id))
  router.handle(changeAssistantPreferences, ({ db, user, now }, { body }) => changePreferences(db, user.id, body, now))
}
