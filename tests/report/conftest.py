import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest


@pytest.fixture
def browser() -> Iterator[Callable[[int], Any]]:
    """Opens headless Chromium with a given window width in CSS pixels; closes all of them afterwards."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    opened: list[Any] = []

    def open_browser(width_px: int) -> Any:
        options = webdriver.ChromeOptions()
        options.binary_location = str(shutil.which("chromium"))
        switches = (
            "headless=new no-sandbox disable-gpu disable-quic no-first-run disable-background-networking"
        )
        for switch in [*switches.split(), "disable-component-update", "disable-sync", "hide-scrollbars"]:
            options.add_argument(f"--{switch}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        opened.append(driver)
        metrics = {"width": width_px, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        return driver

    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        # A reader's machine may have no browser; where changes are checked, its absence is a fault.
        (pytest.fail if os.environ.get("CI") else pytest.skip)("Chromium is not installed")
    yield open_browser
    for driver in opened:
        driver.quit()
