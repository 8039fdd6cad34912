import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { cameSignedOut } from '#web/accounts/session-events.ts'
import { Verifying } from '#web/accounts/Verifying.tsx'
import { ErrorScreen } from '#web/content/ErrorScreen.tsx'
import { useUser } from '#web/lib/root-data.ts'
import type { Route } from './+types/AccountLayout'
import { StandaloneFrame } from './StandaloneLayout.tsx'

/** Layout of the sign-in and sign-out pages. */
export default function AccountLayout() {
  const user = useUser()
  useEffect(() => {
    if (!user) cameSignedOut()
  }, [user])
  return (
    <StandaloneFrame isAuthPage>
      <Verifying />
      <Outlet />
    </StandaloneFrame>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <StandaloneFrame isAuthPage>
      <ErrorScreen level="page" error={error} isFramed />
    </StandaloneFrame>
  )
}
