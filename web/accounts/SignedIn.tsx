import { useLocation } from 'react-router'
import { accessOfPage } from '#shared/page-access.ts'
import { SessionKeeper } from './SessionKeeper.tsx'
import { Verifying } from './Verifying.tsx'

/** What stands in the frame of public pages for somebody who is in: fetched for them alone. */
export function SignedIn() {
  const { pathname } = useLocation()
  return (
    <>
      <Verifying />
      {accessOfPage(pathname) !== 'anyone' && <SessionKeeper />}
    </>
  )
}
