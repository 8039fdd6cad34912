import type { ComponentProps } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { removeCopies } from '#web/lib/leftovers.ts'
import { Button } from '#web/ui/Button.tsx'

interface Props extends Omit<ComponentProps<typeof Button>, 'type' | 'children'> {
  label?: string
  /** The public page to stay on; the sign-in page if omitted. */
  returnTo?: string
}

/** A plain form: it works without scripts, and the next document contains no user data. */
export function SignOutButton({ label, returnTo, ...rest }: Props) {
  const t = useT('common')
  return (
    <form method="post" action="/logout" onSubmit={() => removeCopies()}>
      {returnTo && <input type="hidden" name="returnTo" value={returnTo} />}
      <Button {...rest} type="submit">
        {label ?? t('nav_logout')}
      </Button>
    </form>
  )
}
