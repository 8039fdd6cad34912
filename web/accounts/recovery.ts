import { removeSignInLeftovers } from '#web/lib/leftovers.ts'

const PARAMETERS = ['error', 'reason', 'error_description', 'error_code', 'code', 'state', 'ended']

/**
 * Cleans up after another service redirected back without success: nothing of the attempt stays in the URL or on the
 * device.
 */
export function recover() {
  const url = new URL(location.href)
  for (const name of PARAMETERS) url.searchParams.delete(name)
  // An earlier portal read its tokens from the hash.
  if (/token|error/.test(url.hash)) url.hash = ''
  history.replaceState(history.state, '', url)
  removeSignInLeftovers()
}
