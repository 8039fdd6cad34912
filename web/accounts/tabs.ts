const NAME = 'portal-session'
const SIGNED_OUT = 'SIGNED_OUT'

/** Notifies the other tabs of this browser of the sign-out. */
export function broadcastSignOut() {
  if (!('BroadcastChannel' in globalThis)) return
  const channel = new BroadcastChannel(NAME)
  channel.postMessage(SIGNED_OUT)
  channel.close()
}

export function onSignedOutElsewhere(heard: () => void): () => void {
  if (!('BroadcastChannel' in globalThis)) return () => {}
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }) => data === SIGNED_OUT && heard()
  return () => channel.close()
}
