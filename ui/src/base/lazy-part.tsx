import { type Component, createResource, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'

/**
 * A component whose code is loaded when it is shown for the first time. If that fails, it is loaded again when the component
 * is shown again. Solid's `lazy` would fail forever.
 *
 * @param placeholder shown until the code is loaded
 */
export function lazyPart<Props extends object>(
  load: () => Promise<Component<Props>>,
  placeholder?: Component,
): Component<Props> {
  let loaded: Component<Props> | undefined
  const loadOnce = async () => {
    loaded ??= await load()
    return loaded
  }
  return (props) => {
    if (loaded) return <Dynamic component={loaded} {...props} />
    const [component] = createResource(loadOnce)
    return (
      <Show when={component()} fallback={placeholder && <Dynamic component={placeholder} />}>
        {(component) => <Dynamic component={component()} {...props} />}
      </Show>
    )
  }
}
