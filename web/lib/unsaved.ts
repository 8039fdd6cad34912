import { useEffect, useState } from 'react'

// Tracks unsaved form input. A form opts in by `data-guarded`, and marks rejected or previewed values by
// `data-unsaved`, so a page may have any number of forms.

/** Form values before the first edit. */
const before = new WeakMap<HTMLFormElement, string>()
const touched = new Set<HTMLFormElement>()
const listeners = new Set<() => void>()
let sent: HTMLFormElement | null = null
let isSubmitting = false
let isNavigating = false

const notifyListeners = () => {
  for (const listener of listeners) listener()
}

const formOf = (event: Event): HTMLFormElement | null => {
  const { form } = event.target as HTMLInputElement
  return form instanceof HTMLFormElement && form.dataset.guarded !== undefined ? form : null
}

/** The values of all editable fields. */
function valuesOf(form: HTMLFormElement): string {
  const values = [...form.elements].map((field) => {
    if (field instanceof HTMLInputElement) {
      if (['hidden', 'submit', 'button', 'reset', 'image', 'search'].includes(field.type)) return null
      return ['checkbox', 'radio'].includes(field.type) ? field.checked : field.value
    }
    if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value)
    return field instanceof HTMLTextAreaElement ? field.value : null
  })
  return JSON.stringify(values)
}

const isChanged = (form: HTMLFormElement) =>
  form.isConnected &&
  form !== sent &&
  (form.dataset.unsaved !== undefined || (touched.has(form) && before.get(form) !== valuesOf(form)))

function hasUnsaved(): boolean {
  for (const form of touched) if (!form.isConnected) touched.delete(form)
  return [...touched, ...document.querySelectorAll<HTMLFormElement>('form[data-unsaved]')].some(isChanged)
}

/** Whether leaving would lose input, unless a form is being submitted or the user has confirmed. */
export const wouldLose = () => !isSubmitting && !isNavigating && hasUnsaved()

/** Asks once before unsaved input is lost; true if there is none, or the user confirms. */
export function mayLeave(question: string): boolean {
  if (!wouldLose()) return true
  isNavigating = window.confirm(question)
  return isNavigating
}

/** Call when the router is idle: submitted and accepted values are saved, and a confirmed navigation is complete. */
export function finishNavigation() {
  isNavigating = false
  if (!sent) return
  const form = sent
  sent = null
  // Rejected: the values are still unsaved.
  if (form.dataset.unsaved === undefined) {
    touched.delete(form)
    before.delete(form)
  }
  notifyListeners()
}

/** Tracks input anywhere in the document. Returns a function that stops it. */
export function followTyping(): () => void {
  const enter = (event: Event) => {
    const form = formOf(event)
    if (form && !before.has(form)) before.set(form, valuesOf(form))
  }
  const change = (event: Event) => {
    const form = formOf(event)
    if (!form) return
    touched.add(form)
    notifyListeners()
  }
  const submit = (event: Event) => {
    const form = event.target as HTMLFormElement
    if (form.method !== 'post') return
    sent = form
    isSubmitting = true
    // The navigation starts while the event is being handled.
    setTimeout(() => {
      isSubmitting = false
    })
  }
  const unload = (event: BeforeUnloadEvent) => {
    if (hasUnsaved()) event.preventDefault()
  }
  document.addEventListener('focusin', enter)
  document.addEventListener('input', change)
  document.addEventListener('submit', submit, true)
  window.addEventListener('beforeunload', unload)
  return () => {
    document.removeEventListener('focusin', enter)
    document.removeEventListener('input', change)
    document.removeEventListener('submit', submit, true)
    window.removeEventListener('beforeunload', unload)
  }
}

/** Whether the form with this id has unsaved changes. */
export function useIsUnsaved(id: string): boolean {
  const [isUnsaved, setUnsaved] = useState(false)
  useEffect(() => {
    const look = () => {
      const form = document.getElementById(id)
      setUnsaved(form instanceof HTMLFormElement && isChanged(form))
    }
    listeners.add(look)
    return () => {
      listeners.delete(look)
    }
  }, [id])
  return isUnsaved
}
