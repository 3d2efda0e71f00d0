"""What axe sees on a page that has come to rest."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

# A toast that fades while axe looks is pale for a moment; toasts are looked at in the style guide.
REST = """async () => {
  document.querySelectorAll("#toasts .toast").forEach(toast => toast.remove());
  const brief = document.getAnimations().filter(each => each.effect.getComputedTiming().endTime < 2000);
  // One that is dropped with its element never says that it is finished.
  const enough = new Promise(done => setTimeout(done, 2000));
  await Promise.race([enough, Promise.all(brief.map(each => each.finished.catch(() => undefined)))]);
}"""


# Only what is wrong comes over: what passes is a hundred times as much, and takes as long to write as to find.
LOOK = """async (options) => {
  const { violations } = await axe.run({ resultTypes: ["violations"], preload: false, ...options });
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) =>
      `${id}: ${html.slice(0, 120)}: ${(failureSummary ?? "").slice(0, 300)}`));
}"""


def faults(page: Page, options: Any = None) -> list[str]:
    """Run axe and list its findings, one line each with the rule, the element and the reason."""
    from axe_playwright_python.base import AXE_SCRIPT

    # An answer to a form is there before its styles are, if they have to be fetched.
    page.wait_for_load_state("load")
    page.evaluate(REST)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(LOOK, options or {})
    return found
