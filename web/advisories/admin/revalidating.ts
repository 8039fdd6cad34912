import type { ShouldRevalidateFunctionArgs } from 'react-router'

/** A preview writes nothing, so what the page has loaded is still right. */
export const notWhilePreviewing = ({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  formData?.get('intent') === 'preview' ? false : defaultShouldRevalidate
