import { removeSignInLeftovers } from '#web/lib/leftovers.ts'

const PARAMETERS = ['error', 'reason', 'error_description', 'error_code', 'code', 'state', 'ended']

/** After another service sent somebody back without success: nothing of the try stays in the address or on the device. */
export function recover() {
  const url = new URL(location.href)
  for (const name of PARAMETERS) url.searchParams.delete(name)
  // An earlier portal took its tokens out of here.
  if (/token|error/.test(url.hash)) url.hash = ''
  history.replaceState(history.state, '', url)
  removeSignInLeftovers()
}
