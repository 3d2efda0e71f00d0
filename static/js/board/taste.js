// The small form in which somebody says how they like the table. What is chosen holds at once.

/** Let the form show and change the preferences. */
export function bindTaste(form, prefs) {
  const fill = () => {
    for (const field of form.elements) {
      if (!field.name) continue;
      if (field.type === "checkbox") field.checked = prefs.get(field.name);
      else field.value = String(prefs.get(field.name));
    }
  };
  form.addEventListener("change", ({ target }) => {
    if (target.type === "checkbox") prefs.set({ [target.name]: target.checked });
    else prefs.set({ [target.name]: /^\d$/.test(target.value) ? Number(target.value) : target.value });
  });
  prefs.addEventListener("change", fill);
  fill();
}
