import type { ShouldRevalidateFunctionArgs } from 'react-router'

/** A count changes nothing, so the page's data stays; after a conflict it is loaded again. */
export function revalidateUnlessCounting({
  formData,
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  if (formData?.get('intent') === 'estimate') return false
  return actionStatus === 409 || defaultShouldRevalidate
}
