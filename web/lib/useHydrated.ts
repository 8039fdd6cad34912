import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/** False on the server and during hydration; true once scripts handle events. */
export const useHydrated = () =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
