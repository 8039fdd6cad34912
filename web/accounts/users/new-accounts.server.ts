import { data, type RouterContextProvider, redirect } from 'react-router'
import { flagAccount, listNewAccounts, verifyAccount } from '#shared/accounts/users.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { api, attempt, visitorOf } from '#web/lib/visitor.ts'

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
export async function actOnNewAccount(context: Context, request: Request) {
  const form = await request.formData()
  const [intent, id, reason, confirmed] = ['intent', 'account', 'reason', 'confirmed'].map((name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }) as [string, string, string, string]
  if (!['verify', 'flag', 'unflag'].includes(intent)) throw new Response('Bad Request', { status: 400 })
  const values = { id, intent: intent === 'unflag' ? 'flag' : intent, reason }
  if (intent === 'verify' && confirmed !== 'yes') return data({ ...values, error: undefined })
  const { error } = await attempt(context, (call) =>
    intent === 'verify'
      ? call(verifyAccount, { params: { id } })
      : call(flagAccount, { params: { id }, body: { is_flagged: intent === 'flag', reason } }),
  )
  if (error) return data({ ...values, error }, { status: error.status })
  throw redirect(`/admin/coordinator?done=${values.intent}`)
}
