"""Which Python packages bring which modules: what is known well enough to say that a module is not there."""

import sys

_REMOVED = frozenset({
    "aifc", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk", "crypt", "distutils", "imghdr", "imp",
    "lib2to3", "mailcap", "msilib", "nis", "nntplib", "ossaudiodev", "pipes", "smtpd", "sndhdr", "spwd", "sunau",
    "telnetlib", "uu", "xdrlib",
})  # fmt: skip
"""Modules that older versions of Python bring."""

_ADDED = frozenset({"annotationlib", "compression"})
"""Modules that newer versions than the oldest we run on bring."""

_TOOLING = frozenset({"_distutils_hack", "pip", "pkg_resources", "setuptools", "wheel"})
STANDARD = frozenset(sys.stdlib_module_names) | _REMOVED | _ADDED | _TOOLING
"""Modules that may be there although nobody installs a package."""

_PACKAGES = {
    "attrs": "attr attrs",
    "beautifulsoup4": "bs4 soupsieve typing_extensions",
    "certifi": "certifi",
    "chardet": "chardet",
    "et-xmlfile": "et_xmlfile",
    "filelock": "filelock",
    "flake8": "flake8 mccabe pycodestyle pyflakes",
    "hypothesis": "hypothesis attr attrs sortedcontainers exceptiongroup",
    "iniconfig": "iniconfig",
    "jsonschema": "jsonschema jsonschema_specifications attr attrs referencing rpds typing_extensions",
    "lxml": "lxml",
    "markdown": "markdown importlib_metadata zipp",
    "networkx": "networkx",
    "numpy": "numpy",
    "openpyxl": "openpyxl et_xmlfile",
    "packaging": "packaging",
    "pandas": "pandas numpy dateutil pytz six tzdata",
    "pillow": "PIL",
    "psutil": "psutil",
    "pyflakes": "pyflakes",
    "pypdf": "pypdf typing_extensions",
    "pytest": "pytest _pytest py pluggy iniconfig packaging pygments tomli exceptiongroup typing_extensions colorama",
    "pytest-json-ctrf": "pytest_json_ctrf",
    "pytest-json-report": "pytest_jsonreport pytest_metadata",
    "pytest-timeout": "pytest_timeout",
    "python-dateutil": "dateutil six",
    "python-docx": "docx lxml typing_extensions",
    "pytz": "pytz",
    "pyyaml": "yaml _yaml",
    "rapidfuzz": "rapidfuzz",
    "regex": "regex",
    "requests": "requests urllib3 certifi idna charset_normalizer chardet",
    "ruff": "ruff",
    "scikit-learn": "sklearn scipy numpy joblib threadpoolctl",
    "scipy": "scipy numpy",
    "six": "six",
    "sympy": "sympy mpmath",
    "tabulate": "tabulate",
    "toml": "toml",
    "tomli": "tomli",
    "tqdm": "tqdm colorama",
    "typing-extensions": "typing_extensions",
}
"""Packages, and the modules that they and all they depend on bring, under every version of Python."""

_NEEDS_PYTEST = frozenset({"pytest-json-ctrf", "pytest-json-report", "pytest-timeout", "hypothesis"})

PACKAGE_OF = {
    "aiohttp": "aiohttp", "altair": "altair", "anthropic": "anthropic", "attr": "attrs", "bs4": "beautifulsoup4",
    "chardet": "chardet", "cv2": "opencv-python", "dateutil": "python-dateutil", "django": "django",
    "docx": "python-docx", "dotenv": "python-dotenv", "fastapi": "fastapi", "fitz": "pymupdf", "flask": "flask",
    "geopandas": "geopandas", "httpx": "httpx", "hypothesis": "hypothesis", "imageio": "imageio", "jinja2": "jinja2",
    "joblib": "joblib", "jsonschema": "jsonschema", "jwt": "pyjwt", "librosa": "librosa", "lxml": "lxml",
    "markdown": "markdown", "matplotlib": "matplotlib", "networkx": "networkx", "nltk": "nltk", "numpy": "numpy",
    "openai": "openai", "openpyxl": "openpyxl", "pandas": "pandas", "PIL": "pillow", "pexpect": "pexpect",
    "plotly": "plotly", "polars": "polars", "pptx": "python-pptx", "psutil": "psutil", "psycopg2": "psycopg2-binary",
    "pyarrow": "pyarrow", "pydantic": "pydantic", "pymongo": "pymongo", "pypdf": "pypdf", "PyPDF2": "pypdf2",
    "pytest": "pytest", "pytz": "pytz", "rapidfuzz": "rapidfuzz", "redis": "redis", "regex": "regex",
    "requests": "requests", "rewardkit": "harbor-rewardkit", "scipy": "scipy", "seaborn": "seaborn",
    "selenium": "selenium", "serial": "pyserial", "shapely": "shapely", "skimage": "scikit-image",
    "sklearn": "scikit-learn", "soundfile": "soundfile", "spacy": "spacy", "sqlalchemy": "sqlalchemy",
    "statsmodels": "statsmodels", "sympy": "sympy", "tabulate": "tabulate", "tensorflow": "tensorflow",
    "tiktoken": "tiktoken", "toml": "toml", "tomli": "tomli", "torch": "torch", "tqdm": "tqdm",
    "transformers": "transformers", "xlrd": "xlrd", "yaml": "pyyaml",
}  # fmt: skip
"""Modules that are packages of the public index beyond doubt: nobody has one of that name of his own."""


def modules_of(packages: frozenset[str]) -> frozenset[str] | None:
    """All modules that `packages` (names as indexes compare them) bring; None if one of them is not known that well."""
    if not packages <= _PACKAGES.keys() | _TOOLING:
        return None
    whole = packages | ({"pytest"} if packages & _NEEDS_PYTEST else set())
    return frozenset(module for name in whole for module in _PACKAGES.get(name, "").split())
