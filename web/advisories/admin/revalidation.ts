import type { ShouldRevalidateFunctionArgs } from 'react-router'

/**
 * A preview writes nothing, so what the page has loaded is still right; a form that came too late is told what there is
 * now.
 */
export function whenChanged({ formData, actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  if (formData?.get('intent') === 'preview') return false
  return actionStatus === 409 || defaultShouldRevalidate
}
