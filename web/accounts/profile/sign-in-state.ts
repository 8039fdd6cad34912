import type { Route } from './+types/SignInPage'

export type SignInState = Omit<Route.ComponentProps['loaderData'], 'error'> &
  Partial<NonNullable<Route.ComponentProps['actionData']>>
