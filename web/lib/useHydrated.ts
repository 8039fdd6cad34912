import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/** False on the server and while the page comes alive; true once scripts answer it. */
export const useHydrated = () =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
