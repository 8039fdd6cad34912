import { useLocation } from 'react-router'
import { accessOfPage } from '#shared/page-access.ts'
import { SessionKeeper } from './SessionKeeper.tsx'
import { Verifying } from './Verifying.tsx'

/** The signed-in part of the public layout, fetched separately for the user. */
export function SignedIn() {
  const { pathname } = useLocation()
  return (
    <>
      <Verifying />
      {accessOfPage(pathname) !== 'anyone' && <SessionKeeper />}
    </>
  )
}
