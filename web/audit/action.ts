import { type Key, useT } from '#web/lib/i18n.tsx'

/** Label of an action; an action without a label is shown by its stored name. */
export function useAction() {
  const t = useT('users')
  const tAdmin = useT('admin')
  return (action: string): string => {
    const key = `action_${action}`
    const [own, shared] = [t(key as Key<'users'>), tAdmin(key as Key<'admin'>)]
    return own !== key ? own : shared !== key ? shared : action
  }
}
