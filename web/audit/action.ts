import { type Key, useT } from '#web/lib/i18n.tsx'

/** Label of an action; an action without a label is shown by its stored name. */
export function useAction() {
  const t = useT('admin')
  return (action: string): string => {
    const key = `action_${action}` as Key<'admin'>
    const text = t(key)
    return text === key ? action : text
  }
}
