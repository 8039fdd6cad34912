import type { RouterContextProvider } from 'react-router'
import { flagAccount, verifyAccount } from '#shared/accounts/user-changes.ts'
import { listNewAccounts } from '#shared/accounts/users.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formAction, type Submission } from '#web/lib/form-action.server.ts'
import { api, type CallEndpoint, visitorOf } from '#web/lib/visitor.ts'

const HERE = '/admin/coordinator'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** The first new accounts that the visitor may verify, with the names of their countries. */
export async function newAccounts(context: Context) {
  const { accounts, total } = await api(context)(listNewAccounts, { query: { per_page: 20 } })
  const nameOf = nameIn(visitorOf(context).language)
  const places = ({ country_code, countries }: { country_code: string | null; countries: string[] }) =>
    [...new Set([country_code, ...countries])].flatMap((code) => (code ? [nameOf(code)] : [])).join(', ')
  return { accounts: accounts.map((account) => ({ ...account, places: places(account) })), total }
}

/** Handles the forms of the list; verifying requires confirmation. */
export const actOnNewAccount = formAction({
  verify: async (call, { text, flash }) => {
    if (text('confirmed') !== 'yes') return {}
    await call(verifyAccount, { params: { id: text('account') } })
    return flash(HERE, 'verify')
  },
  flag: flagging(true),
  unflag: flagging(false),
})

function flagging(is_flagged: boolean) {
  return async (call: CallEndpoint, { text, flash }: Submission) => {
    await call(flagAccount, { params: { id: text('account') }, body: { is_flagged, reason: text('reason').trim() } })
    return flash(HERE, 'flag')
  }
}
