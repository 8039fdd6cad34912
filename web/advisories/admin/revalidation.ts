import type { ShouldRevalidateFunctionArgs } from 'react-router'

/** A preview writes nothing, so the page's data is still right; after a conflict it is reloaded. */
export function whenChanged({ formData, actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  if (formData?.get('intent') === 'preview') return false
  return actionStatus === 409 || defaultShouldRevalidate
}
